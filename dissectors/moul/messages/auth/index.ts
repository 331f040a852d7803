import { messageTables, type ServerMessages, type UndeclaredMessage } from "../messageTable.js";
import { Cli2Auth_Connect } from "./connect.js";
import * as messages from "./messages.js";

const reason = "The client's source numbers this message, but nothing is known to send or read it.";

function unknownMessage(type: number, name: string): UndeclaredMessage {
  return { type, name, reason };
}

/** The auth server: accounts, players, the vault, and all else that is not bound to one age. Source: auth_server. */
export const auth: ServerMessages = {
  protocol: "moul.auth",
  connect: Cli2Auth_Connect,
  begin: "type",
  isEncrypted: true,
  ...messageTables("Auth", messages, [
    unknownMessage(4, "Cli2Auth_AcctSetEulaVersion"),
    unknownMessage(5, "Cli2Auth_AcctSetDataRequest"),
    unknownMessage(14, "Cli2Auth_PlayerUndeleteRequest"),
    unknownMessage(15, "Cli2Auth_PlayerSelectRequest"),
    unknownMessage(16, "Cli2Auth_PlayerRenameRequest"),
    unknownMessage(18, "Cli2Auth_PlayerSetStatus"),
    unknownMessage(19, "Cli2Auth_PlayerChat"),
    unknownMessage(5, "Auth2Cli_AcctData"),
    unknownMessage(14, "Auth2Cli_PlayerList"),
    unknownMessage(15, "Auth2Cli_PlayerChat"),
    unknownMessage(22, "Auth2Cli_FriendNotify"),
  ]),
};
