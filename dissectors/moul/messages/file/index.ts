import { MessageTable, type ServerMessages } from "../messageTable.js";
import { Cli2File_Connect } from "./connect.js";
import { Cli2File_FileDownloadChunkAck, Cli2File_FileDownloadRequest, File2Cli_FileDownloadReply } from "./download.js";
import {
  Cli2File_BuildIdRequest,
  Cli2File_PingRequest,
  File2Cli_BuildIdReply,
  File2Cli_BuildIdUpdate,
  File2Cli_PingReply,
} from "./global.js";
import { Cli2File_ManifestEntryAck, Cli2File_ManifestRequest, File2Cli_ManifestReply } from "./manifest.js";

const reason = "The client's source numbers this message as unused.";

/** The file server, which brings clients up to date. Source: pnNetProtocol/pnNpCli2File.h. */
export const file: ServerMessages = {
  protocol: "moul.file",
  connect: Cli2File_Connect,
  begin: "length",
  isEncrypted: false,
  c2s: new MessageTable(
    [
      Cli2File_PingRequest,
      Cli2File_BuildIdRequest,
      Cli2File_ManifestRequest,
      Cli2File_FileDownloadRequest,
      Cli2File_ManifestEntryAck,
      Cli2File_FileDownloadChunkAck,
    ],
    [{ type: 30, name: "Cli2File_UNUSED_1", reason }],
  ),
  s2c: new MessageTable(
    [
      File2Cli_PingReply,
      File2Cli_BuildIdReply,
      File2Cli_BuildIdUpdate,
      File2Cli_ManifestReply,
      File2Cli_FileDownloadReply,
    ],
    [{ type: 30, name: "File2Cli_UNUSED_1", reason }],
  ),
};
