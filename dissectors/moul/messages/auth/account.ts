import { array, bool, bytes, flags, uuid } from "moul-dissect/schema";
import { bool32, u32 } from "moul-dissect/schema/little-endian";
import { accountUuid } from "../../common/ids/accountUuid.js";
import { kiNumber, namesPlayer } from "../../common/ids/kiNumber.js";
import { message, netString, result, transactionId } from "../message.js";

/** What the owner of an account may do. Source: auth_server "Account flags"; pnNetBase/pnNbConst.h. */
const AccountRoles = {
  kAccountRoleAdmin: 1 << 0,
  kAccountRoleDeveloper: 1 << 1,
  kAccountRoleBetaTester: 1 << 2,
  kAccountRoleUser: 1 << 3,
  kAccountRoleSpecialEvent: 1 << 4,
  kAccountRoleBanned: 1 << 16,
};

/** How an account is paid for. Source: auth_server "Billing type"; pnNetBase/pnNbConst.h. */
const BillingTypes = {
  kBillingTypePaidSubscriber: 1 << 0,
  kBillingTypeGameTap: 1 << 1,
};

const accountFlags = flags(u32, AccountRoles);
const billingType = flags(u32, BillingTypes);
const activationKey = uuid.sensitive("token").standsFor("activation");
const accountName = netString.sensitive("account-name").inSummary();
const passwordHash = bytes(20).sensitive("password").doc("Hash of the password, with or without the account name.");

/** Logs in to an account. Source: auth_server "AcctLoginRequest"; pnNetProtocol/pnNpCli2Auth.cpp. */
export const Cli2Auth_AcctLoginRequest = message("Cli2Auth_AcctLoginRequest", 3, {
  transactionId,
  clientChallenge: u32.sensitive("password").doc("Random; 0 if the hash is made without challenges.").varies(),
  accountName,
  challengeHash: bytes(20)
    .sensitive("password")
    .doc("Hash of both challenges and the hash of the password, or only the latter.")
    .varies(),
  authToken: netString.sensitive("token"),
  operatingSystem: netString.sensitive("machine"),
});

/** One of the account's players; comes before the reply to a login. Source: auth_server "AcctPlayerInfo". */
export const Auth2Cli_AcctPlayerInfo = message(
  "Auth2Cli_AcctPlayerInfo",
  6,
  {
    transactionId,
    playerVaultNodeId: kiNumber.inSummary(),
    playerName: netString.sensitive("player-name").inSummary(),
    avatarShape: netString,
    explorer: bool32.doc("False for a visitor."),
  },
  { introduces: namesPlayer("playerVaultNodeId", "playerName") },
);

/** Says whether the login worked. Source: auth_server "AcctLoginReply". */
export const Auth2Cli_AcctLoginReply = message("Auth2Cli_AcctLoginReply", 4, {
  transactionId,
  result,
  accountId: accountUuid,
  accountFlags,
  billingType,
  notthedroidsEncryptionKey: array(u32, 4).sensitive("token").doc("Key of encrypted files that the server hands out."),
});

/** Makes a player the active one. Source: auth_server "AcctSetPlayerRequest". */
export const Cli2Auth_AcctSetPlayerRequest = message("Cli2Auth_AcctSetPlayerRequest", 6, {
  transactionId,
  playerVaultNodeId: kiNumber.doc("KI number; 0: no player.").inSummary(),
});

/** Answers Cli2Auth_AcctSetPlayerRequest. Source: auth_server "AcctSetPlayerReply". */
export const Auth2Cli_AcctSetPlayerReply = message("Auth2Cli_AcctSetPlayerReply", 7, { transactionId, result });

/** Makes an account; not in use. Source: auth_server "AcctCreateRequest"; pnNetProtocol/pnNpCli2Auth.cpp. */
export const Cli2Auth_AcctCreateRequest = message("Cli2Auth_AcctCreateRequest", 7, {
  transactionId,
  accountName,
  passwordHash,
  accountFlags,
  billingType,
});

/** Answers Cli2Auth_AcctCreateRequest. Source: auth_server "AcctCreateReply". */
export const Auth2Cli_AcctCreateReply = message("Auth2Cli_AcctCreateReply", 8, {
  transactionId,
  result,
  accountId: accountUuid,
});

/** Gives an account a new password. Source: auth_server "AcctChangePasswordRequest". */
export const Cli2Auth_AcctChangePasswordRequest = message("Cli2Auth_AcctChangePasswordRequest", 8, {
  transactionId,
  accountName,
  passwordHash,
});

/** Answers Cli2Auth_AcctChangePasswordRequest. Source: auth_server "AcctChangePasswordReply". */
export const Auth2Cli_AcctChangePasswordReply = message("Auth2Cli_AcctChangePasswordReply", 9, {
  transactionId,
  result,
});

/** Changes what an account may do; not in use. Source: auth_server "AcctSetRolesRequest". */
export const Cli2Auth_AcctSetRolesRequest = message("Cli2Auth_AcctSetRolesRequest", 9, {
  transactionId,
  accountName,
  accountFlags,
});

/** Answers Cli2Auth_AcctSetRolesRequest. Source: auth_server "AcctSetRolesReply". */
export const Auth2Cli_AcctSetRolesReply = message("Auth2Cli_AcctSetRolesReply", 10, { transactionId, result });

/** Changes how an account is paid for; not in use. Source: auth_server "AcctSetBillingTypeRequest". */
export const Cli2Auth_AcctSetBillingTypeRequest = message("Cli2Auth_AcctSetBillingTypeRequest", 10, {
  transactionId,
  accountName,
  billingType,
});

/** Answers Cli2Auth_AcctSetBillingTypeRequest. Source: auth_server "AcctSetBillingTypeReply". */
export const Auth2Cli_AcctSetBillingTypeReply = message("Auth2Cli_AcctSetBillingTypeReply", 11, {
  transactionId,
  result,
});

/** Activates an account; not in use. Source: auth_server "AcctActivateRequest". */
export const Cli2Auth_AcctActivateRequest = message("Cli2Auth_AcctActivateRequest", 11, {
  transactionId,
  activationKey,
});

/** Answers Cli2Auth_AcctActivateRequest. Source: auth_server "AcctActivateReply". */
export const Auth2Cli_AcctActivateReply = message("Auth2Cli_AcctActivateReply", 12, { transactionId, result });

/** Makes an account for a key; not in use. Source: auth_server "AcctCreateFromKeyRequest". */
export const Cli2Auth_AcctCreateFromKeyRequest = message("Cli2Auth_AcctCreateFromKeyRequest", 12, {
  transactionId,
  accountName,
  passwordHash,
  key: uuid.sensitive("token"),
  billingType,
});

/** Answers Cli2Auth_AcctCreateFromKeyRequest. Source: auth_server "AcctCreateFromKeyReply". */
export const Auth2Cli_AcctCreateFromKeyReply = message("Auth2Cli_AcctCreateFromKeyReply", 13, {
  transactionId,
  result,
  accountId: accountUuid,
  activationKey,
});

/** Asks whether an account exists; not in use. Source: auth_server "AccountExistsRequest". */
export const Cli2Auth_AcctExistsRequest = message("Cli2Auth_AcctExistsRequest", 53, { transactionId, accountName });

/** Answers Cli2Auth_AcctExistsRequest. Source: auth_server "AccountExistsReply". */
export const Auth2Cli_AccountExistsReply = message("Auth2Cli_AccountExistsReply", 48, {
  transactionId,
  result,
  accountExists: bool,
});
