import { Family, polymorphic, remarked, withinEither } from "moul-dissect/schema";
import { u16, u32 } from "moul-dissect/schema/little-endian";
import { className, classNames } from "../classIndices.js";
import { creatable } from "../plCreatable.js";
import { plNetMessage } from "../plNetMessage/plNetMessage.js";
import { wideMembersList } from "../plNetMessage/plNetMsgMembersList.js";
import { wideMemberUpdate } from "../plNetMessage/plNetMsgMemberUpdate.js";

/** Messages with the wide form of a plClientGuid, in which DIRTSAND and libHSPlasma differ from the engine. */
const wideMessages = new Family("plCreatable", "classIndex", u16, { names: classNames });
wideMessages.register(wideMembersList, wideMemberUpdate);

/** A plNetMessage on its way. Source: game_server "PropagateBuffer"; pnNetProtocol/pnNpCli2Game.cpp. */
export const propagatedBuffer = {
  classIndex: remarked(u32, className).doc("Class of the message in the buffer, which repeats it."),
  bufferLength: u32,
  buffer: withinEither(
    "bufferLength",
    creatable(plNetMessage),
    polymorphic(wideMessages, plNetMessage),
    "reserved is read as 2 bytes, as DIRTSAND and libHSPlasma have it: only so does the length fit",
  ),
};
