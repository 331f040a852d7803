import { MessageTable, type ServerMessages } from "../messageTable.js";
import {
  Cli2GateKeeper_AuthSrvIpAddressRequest,
  Cli2GateKeeper_FileSrvIpAddressRequest,
  GateKeeper2Cli_AuthSrvIpAddressReply,
  GateKeeper2Cli_FileSrvIpAddressReply,
} from "./addresses.js";
import { Cli2GateKeeper_Connect } from "./connect.js";
import { Cli2GateKeeper_PingRequest, GateKeeper2Cli_PingReply } from "./global.js";

/** The gatekeeper server, which knows the addresses of the others. Source: gatekeeper_server. */
export const gatekeeper: ServerMessages = {
  protocol: "moul.gatekeeper",
  connect: Cli2GateKeeper_Connect,
  begin: "type",
  isEncrypted: true,
  c2s: new MessageTable([
    Cli2GateKeeper_PingRequest,
    Cli2GateKeeper_FileSrvIpAddressRequest,
    Cli2GateKeeper_AuthSrvIpAddressRequest,
  ]),
  s2c: new MessageTable([
    GateKeeper2Cli_PingReply,
    GateKeeper2Cli_FileSrvIpAddressReply,
    GateKeeper2Cli_AuthSrvIpAddressReply,
  ]),
};
