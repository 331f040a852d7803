import { type Messages, MessageTable } from "../message-table.js";
import { Exchanges } from "../replies.js";
import {
  MsgCaptureFlag,
  MsgCaptureFlagReport,
  MsgDropFlag,
  MsgDropFlagRequest,
  MsgFlagUpdate,
  MsgGrabFlag,
  MsgGrabFlagRequest,
  MsgTeamUpdate,
} from "./flags.js";
import {
  MsgQueryGame,
  MsgQueryGameRequest,
  MsgQueryPlayers,
  MsgQueryPlayersRequest,
  MsgScoreOver,
  MsgTimeUpdate,
} from "./game.js";
import {
  MsgAccept,
  MsgAddPlayer,
  MsgAddPlayer17e6,
  MsgClientVersion,
  MsgClientVersion17e1,
  MsgEnter,
  MsgExit,
  MsgIdAck,
  MsgReject,
  MsgRemovePlayer,
  MsgSuperKill,
} from "./joining.js";
import {
  MsgLagPing,
  MsgNetworkRelay,
  MsgServerControl,
  MsgSetTTL,
  MsgUDPLinkEstablished,
  MsgUDPLinkRequest,
  MsgUDPLinkUpdate,
} from "./network.js";
import { MsgGMUpdate, MsgShotBegin, MsgShotEnd } from "./shots.js";
import {
  MsgAcquireRadio,
  MsgAcquireRadioRequest,
  MsgAudio,
  MsgMessage,
  MsgMessageRequest,
  MsgReleaseRadio,
  MsgReleaseRadioRequest,
  MsgVideo,
} from "./talk.js";
import {
  MsgAlive,
  MsgAliveRequest,
  MsgKilled,
  MsgKilledReport,
  MsgPlayerUpdate,
  MsgScore,
  MsgScoreReport,
  MsgTeleport,
  MsgTeleportReport,
} from "./tanks.js";
import { MsgGetWorld, MsgGetWorldRequest, MsgWantWHash, MsgWantWHashRequest } from "./world.js";

/** The messages of each version. Source: facts, section 3 (versions) and section 4 (messages). */

/** What players send each other, by multicast or through the server. */
const betweenPlayers = [MsgPlayerUpdate, MsgGMUpdate, MsgAudio, MsgVideo];

const clientOf17c = [
  MsgAliveRequest,
  MsgAcquireRadioRequest,
  MsgCaptureFlagReport,
  MsgDropFlagRequest,
  MsgEnter,
  MsgExit,
  MsgGrabFlagRequest,
  MsgGetWorldRequest,
  MsgKilledReport,
  MsgMessageRequest,
  MsgNetworkRelay,
  MsgQueryGameRequest,
  MsgQueryPlayersRequest,
  MsgReleaseRadioRequest,
  MsgShotBegin,
  MsgScoreReport,
  MsgShotEnd,
  MsgTeleportReport,
  MsgSetTTL,
  ...betweenPlayers,
];

const serverOf17c = [
  MsgAccept,
  MsgAlive,
  MsgAddPlayer,
  MsgAcquireRadio,
  MsgCaptureFlag,
  MsgDropFlag,
  MsgFlagUpdate,
  MsgGrabFlag,
  MsgGetWorld,
  MsgKilled,
  MsgMessage,
  MsgNetworkRelay,
  MsgQueryGame,
  MsgQueryPlayers,
  MsgReject,
  MsgRemovePlayer,
  MsgReleaseRadio,
  MsgShotBegin,
  MsgScore,
  MsgShotEnd,
  MsgSuperKill,
  MsgScoreOver,
  MsgTimeUpdate,
  MsgTeleport,
  MsgSetTTL,
  MsgTeamUpdate,
  ...betweenPlayers,
];

/**
 * What newer clients send even to older servers, which do not know it: clients compare only seven characters of the
 * version.
 */
const newerClient = [MsgUDPLinkRequest, MsgUDPLinkEstablished, MsgUDPLinkUpdate, MsgClientVersion, MsgWantWHashRequest];

/** 107b, which no known program reports, 107c and 107d. */
const base: Messages = {
  c2s: new MessageTable([...clientOf17c, ...newerClient]),
  s2c: new MessageTable(serverOf17c),
};

/** 107e adds the UDP link, ids assigned by the server, lag pings and hashes of worlds. */
const extended: Messages = {
  c2s: new MessageTable(
    [...clientOf17c, ...newerClient, MsgIdAck, MsgServerControl, MsgLagPing],
    new Map([[MsgClientVersion17e1.struct.minimumWidth, MsgClientVersion17e1]]),
  ),
  s2c: new MessageTable([
    ...serverOf17c,
    MsgAddPlayer17e6,
    MsgUDPLinkRequest,
    MsgUDPLinkUpdate,
    MsgLagPing,
    MsgWantWHash,
  ]),
};

/** What is multicast. Source: facts, section 2, "multicast". */
export const multicast = new MessageTable(betweenPlayers);

/** Source: facts, section 4. */
export const classicExchanges = new Exchanges([
  { requests: [MsgEnter, MsgNetworkRelay], replies: [MsgAccept, MsgReject] },
  { requests: [MsgGetWorldRequest], replies: [MsgGetWorld] },
  { requests: [MsgQueryGameRequest], replies: [MsgQueryGame] },
  { requests: [MsgQueryPlayersRequest], replies: [MsgQueryPlayers] },
  { requests: [MsgUDPLinkRequest], replies: [MsgUDPLinkRequest] },
  { requests: [MsgWantWHashRequest], replies: [MsgWantWHash] },
]);

/** A version of the 1.7 protocol. */
export interface Version {
  /** "bzflag.107e"; "bzflag.107x" where the revision is not known. */
  readonly protocol: string;
  readonly messages: Messages;
  /** True if the server assigns player ids, and each client knows itself by another id for a while. */
  readonly assignsIds: boolean;
}

function version(revision: string, messages: Messages): Version {
  return { protocol: `bzflag.107${revision}`, messages, assignsIds: messages === extended };
}

/** The version assumed for an unknown revision: the one with the most messages. */
export const newest = version("x", extended);

/** All versions: the revisions that programs report, then the unknown one. */
export const versions: readonly Version[] = [
  version("b", base),
  version("c", base),
  version("d", base),
  version("e", extended),
  newest,
];

/** The version whose protocol has this name: "bzflag.107e". */
export function versionNamed(protocol: unknown): Version | undefined {
  return versions.find((version) => version.protocol === protocol);
}

const SAME_PROTOCOL = "BZFS107";

/**
 * The version given in a hello; undefined if it is not a 1.7 server. Clients, too, compare only the first seven
 * characters.
 */
export function versionOf(hello: string): Version | undefined {
  if (!hello.startsWith(SAME_PROTOCOL)) return undefined;
  return versionNamed(`bzflag.${hello.slice(4)}`) ?? newest;
}
