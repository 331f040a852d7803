import { bytes, derive, rest, within } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { ageInstanceUuid, namesAgePoorly } from "../../common/ids/ageInstanceUuid.js";
import { mcpId, namesGameServer } from "../../common/ids/mcpId.js";
import { vaultNodeId } from "../../common/ids/vaultNodeId.js";
import { namedBits } from "../../common/values/hsBitVector.js";
import { message, netString, result, transactionId } from "../message.js";
import { scoreList } from "./score.js";

/** An AgeRequest of H'uru clients. Source: auth_server "H'uru extensions"; DIRTSAND AuthServer.cpp. */
export const Cli2Auth_AgeRequestEx = message(
  "Cli2Auth_AgeRequestEx",
  0x1000,
  {
    transactionId,
    fileName: netString.public().inSummary(),
    instanceUuid: ageInstanceUuid,
  },
  { introduces: namesAgePoorly("instanceUuid", "fileName") },
);

/** An AgeReply whose address may be a host name. Source: auth_server "H'uru extensions"; DIRTSAND AuthServer.cpp. */
export const Auth2Cli_AgeReplyEx = message(
  "Auth2Cli_AgeReplyEx",
  0x1000,
  {
    transactionId,
    result,
    mcpId,
    instanceUuid: ageInstanceUuid,
    ageVaultNodeId: vaultNodeId.inSummary(),
    serverAddress: netString.sensitive("ip-address").doc("Where the game server is.").inSummary(),
  },
  { introduces: namesGameServer },
);

/** Asks for a game's best scores. Source: pnNetProtocol/pnNpCli2Auth.cpp; DIRTSAND AuthServer.cpp. */
export const Cli2Auth_ScoreGetHighScores = message("Cli2Auth_ScoreGetHighScores", 0x1001, {
  transactionId,
  ageId: vaultNodeId.doc("The age's info node, whose owners' scores are asked for; 0: everybody's.").inSummary(),
  maxScores: u32,
  gameName: netString.inSummary(),
});

/** Brings a game's best scores. Source: pnNetProtocol/pnNpCli2Auth.cpp; plNetGameLib/plNglAuth.cpp. */
export const Auth2Cli_ScoreGetHighScoresReply = message("Auth2Cli_ScoreGetHighScoresReply", 0x1001, {
  transactionId,
  result,
  ...scoreList,
});

/** What a server can do. Source: auth_server "ServerCaps"; pnNetBase/pnNbConst.h. */
const EServerCaps = {
  kCapsScoreLeaderBoards: 1 << 0,
  kCapsGameMgrBlueSpiral: 1 << 1,
  kCapsGameMgrClimbingWall: 1 << 2,
  kCapsGameMgrHeek: 1 << 3,
  kCapsGameMgrMarker: 1 << 4,
  kCapsGameMgrTTT: 1 << 5,
  kCapsGameMgrVarSync: 1 << 6,
};

/** A bit vector that other bytes may follow. Source: auth_server "ServerCaps"; DIRTSAND AuthServer.cpp. */
const ServerCapabilities = derive("ServerCapabilities", namedBits(EServerCaps), {
  filler: bytes(rest)
    .sensitive("unknown")
    .doc("Makes the message a FileDownloadChunk to clients that do not know ServerCaps."),
});

/** Says what the server can do. Source: auth_server "ServerCaps"; plNetGameLib/plNglAuth.cpp. */
export const Auth2Cli_ServerCaps = message("Auth2Cli_ServerCaps", 0x1002, {
  capabilitiesByteCount: u32,
  capabilities: within("capabilitiesByteCount", ServerCapabilities),
});
