import { uuid } from "moul-dissect/schema";
import { message, netString, result, transactionId } from "../message.js";

/** Invites a friend by email. Source: auth_server "SendFriendInviteRequest"; pnNetProtocol/pnNpCli2Auth.cpp. */
export const Cli2Auth_SendFriendInviteRequest = message("Cli2Auth_SendFriendInviteRequest", 24, {
  transactionId,
  inviteUuid: uuid
    .sensitive("token")
    .doc("Identifies the inviting player, whose vault node has it, too.")
    .standsFor("invite"),
  receiverEmailAddress: netString.sensitive("email"),
  receiverName: netString.sensitive("player-name").inSummary(),
});

/** Answers Cli2Auth_SendFriendInviteRequest. Source: auth_server "SendFriendInviteReply". */
export const Auth2Cli_SendFriendInviteReply = message("Auth2Cli_SendFriendInviteReply", 21, { transactionId, result });
