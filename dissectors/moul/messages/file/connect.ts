import { derive } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { ConnectionType, ConnectPacket } from "../connectPacket.js";

/** Begins a connection to the file server. Source: specification "Connection types"; pnNetProtocol/pnNpCli2File.h. */
export const Cli2File_Connect = derive(
  "Cli2File_Connect",
  ConnectPacket,
  {
    realBuildId: u32.inSummary().doc("Build ID; that of the header is 0 for the file server."),
    serverType: u32,
  },
  { tag: ConnectionType.CliToFile },
);
