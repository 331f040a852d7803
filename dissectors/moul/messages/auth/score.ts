import { array, enumeration, struct, utf16, within } from "moul-dissect/schema";
import { i32, u32 } from "moul-dissect/schema/little-endian";
import { vaultNodeId } from "../../common/ids/vaultNodeId.js";
import { unixTime } from "../../common/values/unixTime.js";
import { message, netString, result, transactionId } from "../message.js";

/** How points are counted. Source: auth_server "ScoreCreate"; pnNetBase/pnNbConst.h. */
const EGameScoreTypes = {
  kScoreTypeFixed: 0,
  kScoreTypeAccumulative: 1,
  kScoreTypeAccumAllowNegative: 2,
};

/** Whose scores are ranked. Source: pnNetBase/pnNbConst.h. */
const EScoreRankGroups = {
  kScoreRankGroupIndividual: 0,
  kScoreRankGroupNeighborhood: 1,
};

/** Which scores are ranked. Source: pnNetBase/pnNbConst.h. */
const EScoreTimePeriods = {
  kScoreTimePeriodOverall: 0,
  kScoreTimePeriodYear: 1,
  kScoreTimePeriodMonth: 2,
  kScoreTimePeriodDay: 3,
};

const gameName = netString.inSummary();
const gameType = enumeration(u32, EGameScoreTypes);
const scoreId = u32.inSummary().standsFor("score");
const ownerId = vaultNodeId
  .doc("Vault node that has the score: a player or an age's info node; 0: nobody.")
  .inSummary();

/** Starts a score. Source: auth_server "ScoreCreate"; pnNetProtocol/pnNpCli2Auth.cpp. */
export const Cli2Auth_ScoreCreate = message("Cli2Auth_ScoreCreate", 46, {
  transactionId,
  ownerId,
  gameName,
  gameType,
  points: i32,
});

/** Gives the new score's number. Source: auth_server "ScoreCreateReply". */
export const Auth2Cli_ScoreCreateReply = message("Auth2Cli_ScoreCreateReply", 41, {
  transactionId,
  result,
  scoreId,
  creationTime: unixTime,
});

/** Deletes a score. Source: auth_server "ScoreDelete". */
export const Cli2Auth_ScoreDelete = message("Cli2Auth_ScoreDelete", 47, { transactionId, scoreId });

/** Answers Cli2Auth_ScoreDelete. Source: auth_server "ScoreDeleteReply". */
export const Auth2Cli_ScoreDeleteReply = message("Auth2Cli_ScoreDeleteReply", 42, { transactionId, result });

/** Asks for an owner's scores in a game. Source: auth_server "ScoreGetScores". */
export const Cli2Auth_ScoreGetScores = message("Cli2Auth_ScoreGetScores", 48, { transactionId, ownerId, gameName });

/** One score. Source: auth_server "ScoreGetScoresReply"; pnNetProtocol/pnNpCommon.cpp, NetGameScore. */
const NetGameScore = struct("NetGameScore", {
  scoreId: u32.standsFor("score"),
  ownerId: vaultNodeId,
  creationTime: unixTime,
  gameType,
  points: i32,
  gameNameByteCount: u32,
  gameName: utf16("gameNameByteCount"),
});

/** Scores after their count. */
export const scoreList = {
  scoreCount: u32.inSummary(),
  scoreDataLength: u32,
  scoreData: within("scoreDataLength", array(NetGameScore, "scoreCount")),
};

/** Brings an owner's scores. Source: auth_server "ScoreGetScoresReply". */
export const Auth2Cli_ScoreGetScoresReply = message("Auth2Cli_ScoreGetScoresReply", 43, {
  transactionId,
  result,
  ...scoreList,
});

/** Adds to a score, or takes from it. Source: auth_server "ScoreAddPoints". */
export const Cli2Auth_ScoreAddPoints = message("Cli2Auth_ScoreAddPoints", 49, {
  transactionId,
  scoreId,
  pointsDifference: i32,
});

/** Answers Cli2Auth_ScoreAddPoints. Source: auth_server "ScoreAddPointsReply". */
export const Auth2Cli_ScoreAddPointsReply = message("Auth2Cli_ScoreAddPointsReply", 44, { transactionId, result });

/** Moves points from one score to another. Source: auth_server "ScoreTransferPoints". */
export const Cli2Auth_ScoreTransferPoints = message("Cli2Auth_ScoreTransferPoints", 50, {
  transactionId,
  sourceScoreId: scoreId,
  destinationScoreId: scoreId,
  pointsToTransfer: i32,
});

/** Answers Cli2Auth_ScoreTransferPoints. Source: auth_server "ScoreTransferPointsReply". */
export const Auth2Cli_ScoreTransferPointsReply = message("Auth2Cli_ScoreTransferPointsReply", 45, {
  transactionId,
  result,
});

/** Sets a score of the fixed kind. Source: auth_server "ScoreSetPoints". */
export const Cli2Auth_ScoreSetPoints = message("Cli2Auth_ScoreSetPoints", 51, { transactionId, scoreId, points: i32 });

/** Answers Cli2Auth_ScoreSetPoints. Source: auth_server "ScoreSetPointsReply". */
export const Auth2Cli_ScoreSetPointsReply = message("Auth2Cli_ScoreSetPointsReply", 46, { transactionId, result });

/** Asks for a page of a game's ranking. Source: auth_server "ScoreGetRanks"; pnNetProtocol/pnNpCli2Auth.cpp. */
export const Cli2Auth_ScoreGetRanks = message("Cli2Auth_ScoreGetRanks", 52, {
  transactionId,
  ownerId,
  scoreGroup: enumeration(u32, EScoreRankGroups),
  parentFolderId: vaultNodeId,
  gameName,
  timePeriod: enumeration(u32, EScoreTimePeriods),
  resultCount: u32,
  pageNumber: u32,
  sortOrder: u32.doc("0: ascending, 1: descending."),
});

/** One place in a ranking. Source: auth_server "ScoreGetRanksReply"; pnNetProtocol/pnNpCommon.cpp, NetGameRank. */
const NetGameRank = struct("NetGameRank", {
  rank: u32,
  score: i32,
  nameByteCount: u32,
  name: utf16("nameByteCount").sensitive("player-name"),
});

/** Brings a page of a ranking. Source: auth_server "ScoreGetRanksReply". */
export const Auth2Cli_ScoreGetRanksReply = message("Auth2Cli_ScoreGetRanksReply", 47, {
  transactionId,
  result,
  rankCount: u32.inSummary(),
  rankDataLength: u32,
  rankData: within("rankDataLength", array(NetGameRank, "rankCount")),
});
