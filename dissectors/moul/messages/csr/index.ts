import { messageTables, type ServerMessages } from "../messageTable.js";
import { Cli2Csr_Connect } from "./connect.js";
import * as messages from "./csr.js";

const reason = "The client that was made public in 2011 numbers this message, but neither sends nor reads it.";

/** The customer service server, known only from the 2011 client. Source: Cli2Csr/pnNpCli2Csr.h (2011). */
export const csr: ServerMessages = {
  protocol: "moul.csr",
  connect: Cli2Csr_Connect,
  begin: "type",
  isEncrypted: true,
  ...messageTables("Csr", messages, [
    { type: 3, name: "Cli2Csr_PatchRequest", reason },
    { type: 3, name: "Csr2Cli_PatchReply", reason },
  ]),
};
