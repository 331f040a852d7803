import { MessageTable, type ServerMessages } from "../messageTable.js";
import { Cli2Csr_Connect } from "./connect.js";
import {
  Cli2Csr_LoginRequest,
  Cli2Csr_PingRequest,
  Cli2Csr_RegisterRequest,
  Csr2Cli_LoginReply,
  Csr2Cli_PingReply,
  Csr2Cli_RegisterReply,
} from "./csr.js";

const reason = "The client that was made public in 2011 numbers this message, but neither sends nor reads it.";

/** The customer service server, known only from the 2011 client. Source: Cli2Csr/pnNpCli2Csr.h (2011). */
export const csr: ServerMessages = {
  protocol: "moul.csr",
  connect: Cli2Csr_Connect,
  begin: "type",
  isEncrypted: true,
  c2s: new MessageTable(
    [Cli2Csr_PingRequest, Cli2Csr_RegisterRequest, Cli2Csr_LoginRequest],
    [{ type: 3, name: "Cli2Csr_PatchRequest", reason }],
  ),
  s2c: new MessageTable(
    [Csr2Cli_PingReply, Csr2Cli_RegisterReply, Csr2Cli_LoginReply],
    [{ type: 3, name: "Csr2Cli_PatchReply", reason }],
  ),
};
