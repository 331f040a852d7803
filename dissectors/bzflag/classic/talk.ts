import { enumeration, flags } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/big-endian";
import { RadioFlags, TeamColor } from "../enums.js";
import { chatText } from "../fields.js";
import { content, message } from "../messages.js";
import { addressee, playerId } from "./player-id.js";

/** Chat, radio, sound and pictures. Source: facts, section 4, "chat". */

const said = {
  to: addressee.doc("Everybody: everyone in the team, or in all teams if the team is RogueTeam.").inSummary(),
  team: enumeration(u16, TeamColor),
  text: chatText.inSummary(),
};

/** The server's form goes to all clients, even if it is meant for one: they filter it themselves. */
export const MsgMessageRequest = message("MsgMessage", "mg", said);
export const MsgMessage = message("MsgMessage", "mg", { from: playerId.inSummary(), ...said });

const to = flags(u16, RadioFlags);

export const MsgAcquireRadioRequest = message("MsgAcquireRadio", "ar", { flags: to });
export const MsgAcquireRadio = message("MsgAcquireRadio", "ar", { player: playerId.inSummary(), flags: to });

export const MsgReleaseRadioRequest = message("MsgReleaseRadio", "rr", {});
export const MsgReleaseRadio = message("MsgReleaseRadio", "rr", { player: playerId.inSummary() });

/** Sound, passed on unchanged; also multicast. Its content is up to the clients. */
export const MsgAudio = message("MsgAudio", "au", { data: content.sensitive("voice") });

/** Pictures, passed on unchanged; also multicast. Their content is up to the clients. */
export const MsgVideo = message("MsgVideo", "vi", { data: content.sensitive("voice") });
