import { messageTables, type ServerMessages } from "../messageTable.js";
import { Cli2GateKeeper_Connect } from "./connect.js";
import * as messages from "./messages.js";

/** The gatekeeper server, which knows the addresses of the others. Source: gatekeeper_server. */
export const gatekeeper: ServerMessages = {
  protocol: "moul.gatekeeper",
  connect: Cli2GateKeeper_Connect,
  begin: "type",
  isEncrypted: true,
  ...messageTables("GateKeeper", messages),
};
