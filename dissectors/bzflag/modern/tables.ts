import { type Messages, MessageTable } from "../message-table.js";
import {
  MsgDropFlag,
  MsgDropFlagRequest,
  MsgFlagUpdate,
  MsgGrabFlag,
  MsgGrabFlagRequest,
  MsgTeamUpdate,
} from "./flags.js";
import {
  MsgGameSettings,
  MsgGameTime,
  MsgLagPing,
  MsgMessage,
  MsgMessageRequest,
  MsgSetVar,
  MsgUDPLinkAnswer,
  MsgUDPLinkEstablished,
  MsgUDPLinkRequest,
  MsgWantSettings,
} from "./game.js";
import {
  MsgAccept,
  MsgAddPlayer,
  MsgEnter,
  MsgExit,
  MsgNegotiateFlags,
  MsgPlayerInfo,
  MsgRemovePlayer,
} from "./joining.js";
import { MsgShotBegin, MsgShotEnd } from "./shots.js";
import {
  MsgAlive,
  MsgAliveRequest,
  MsgAutoPilot,
  MsgAutoPilotRequest,
  MsgKilled,
  MsgKilledReport,
  MsgPlayerUpdate,
  MsgPlayerUpdateSmall,
  MsgScore,
} from "./tanks.js";
import { MsgGetWorld, MsgGetWorldRequest, MsgWantWHash, MsgWantWHashRequest } from "./world.js";

/** Name of the modern protocol. */
export const MODERN_PROTOCOL = "bzflag.0221";

const bothWays = [
  MsgPlayerUpdate,
  MsgPlayerUpdateSmall,
  MsgShotBegin,
  MsgShotEnd,
  MsgLagPing,
  MsgNegotiateFlags,
  MsgUDPLinkEstablished,
];

/** What clients and servers of version 0221 say, as far as it is declared. Source: facts, section 10. */
export const modern: Messages = {
  c2s: new MessageTable([
    ...bothWays,
    MsgAliveRequest,
    MsgAutoPilotRequest,
    MsgDropFlagRequest,
    MsgEnter,
    MsgExit,
    MsgGetWorldRequest,
    MsgGrabFlagRequest,
    MsgKilledReport,
    MsgMessageRequest,
    MsgUDPLinkRequest,
    MsgWantSettings,
    MsgWantWHashRequest,
  ]),
  s2c: new MessageTable([
    ...bothWays,
    MsgAccept,
    MsgAddPlayer,
    MsgAlive,
    MsgAutoPilot,
    MsgDropFlag,
    MsgFlagUpdate,
    MsgGameSettings,
    MsgGameTime,
    MsgGetWorld,
    MsgGrabFlag,
    MsgKilled,
    MsgMessage,
    MsgPlayerInfo,
    MsgRemovePlayer,
    MsgScore,
    MsgSetVar,
    MsgTeamUpdate,
    MsgUDPLinkAnswer,
    MsgWantWHash,
  ]),
};
