import { messageTables, type ServerMessages } from "../messageTable.js";
import { Cli2File_Connect } from "./connect.js";
import * as messages from "./messages.js";

const reason = "The client's source numbers this message as unused.";

/** The file server, which brings clients up to date. Source: pnNetProtocol/pnNpCli2File.h. */
export const file: ServerMessages = {
  protocol: "moul.file",
  connect: Cli2File_Connect,
  begin: "length",
  isEncrypted: false,
  ...messageTables("File", messages, [
    { type: 30, name: "Cli2File_UNUSED_1", reason },
    { type: 30, name: "File2Cli_UNUSED_1", reason },
  ]),
};
