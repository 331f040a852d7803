import { bool32 } from "moul-dissect/schema/little-endian";
import { kiNumber, namesPlayer } from "../../common/ids/kiNumber.js";
import { message, netString, result, transactionId } from "../message.js";

const playerVaultNodeId = kiNumber.inSummary();
const playerName = netString.sensitive("player-name").inSummary();

/** Deletes a player. Source: auth_server "PlayerDeleteRequest"; pnNetProtocol/pnNpCli2Auth.cpp. */
export const Cli2Auth_PlayerDeleteRequest = message("Cli2Auth_PlayerDeleteRequest", 13, {
  transactionId,
  playerVaultNodeId,
});

/** Answers Cli2Auth_PlayerDeleteRequest. Source: auth_server "PlayerDeleteReply". */
export const Auth2Cli_PlayerDeleteReply = message("Auth2Cli_PlayerDeleteReply", 17, { transactionId, result });

/** Makes a player. Source: auth_server "PlayerCreateRequest". */
export const Cli2Auth_PlayerCreateRequest = message("Cli2Auth_PlayerCreateRequest", 17, {
  transactionId,
  playerName,
  avatarShape: netString,
  friendInviteCode: netString.sensitive("token"),
});

/** Answers Cli2Auth_PlayerCreateRequest. Source: auth_server "PlayerCreateReply". */
export const Auth2Cli_PlayerCreateReply = message(
  "Auth2Cli_PlayerCreateReply",
  16,
  {
    transactionId,
    result,
    playerVaultNodeId,
    explorer: bool32.doc("False for a visitor."),
    playerName,
    avatarShape: netString,
  },
  { introduces: namesPlayer("playerVaultNodeId", "playerName") },
);

/** Makes a visitor an explorer. Source: auth_server "UpgradeVisitorRequest". */
export const Cli2Auth_UpgradeVisitorRequest = message("Cli2Auth_UpgradeVisitorRequest", 20, {
  transactionId,
  playerVaultNodeId,
});

/** Answers Cli2Auth_UpgradeVisitorRequest. Source: auth_server "UpgradeVisitorReply". */
export const Auth2Cli_UpgradeVisitorReply = message("Auth2Cli_UpgradeVisitorReply", 18, { transactionId, result });

/** Bans a player, or lifts the ban; not in use. Source: auth_server "SetPlayerBanStatusRequest". */
export const Cli2Auth_SetPlayerBanStatusRequest = message("Cli2Auth_SetPlayerBanStatusRequest", 21, {
  transactionId,
  playerVaultNodeId,
  banned: bool32,
});

/** Answers Cli2Auth_SetPlayerBanStatusRequest. Source: auth_server "SetPlayerBanStatusReply". */
export const Auth2Cli_SetPlayerBanStatusReply = message("Auth2Cli_SetPlayerBanStatusReply", 19, {
  transactionId,
  result,
});

/** Throws a player out; not in use. Source: auth_server "KickPlayer". */
export const Cli2Auth_KickPlayer = message("Cli2Auth_KickPlayer", 22, { playerVaultNodeId });

/** Says why the server is about to close the connection. Source: auth_server "KickedOff". */
export const Auth2Cli_KickedOff = message("Auth2Cli_KickedOff", 39, { reason: result });

/** Renames a player; not in use. Source: auth_server "ChangePlayerNameRequest". */
export const Cli2Auth_ChangePlayerNameRequest = message("Cli2Auth_ChangePlayerNameRequest", 23, {
  transactionId,
  playerVaultNodeId,
  playerName,
});

/** Answers Cli2Auth_ChangePlayerNameRequest. Source: auth_server "ChangePlayerNameReply". */
export const Auth2Cli_ChangePlayerNameReply = message("Auth2Cli_ChangePlayerNameReply", 20, { transactionId, result });
