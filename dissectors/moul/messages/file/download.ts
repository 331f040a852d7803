import { bytes } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { result, transactionId } from "../message.js";
import { fileMessage, fixedName, readerId, requestedBuildId } from "./fileMessage.js";

/** Asks for a file. Source: pnNetProtocol/pnNpCli2File.h. */
export const Cli2File_FileDownloadRequest = fileMessage("Cli2File_FileDownloadRequest", 21, {
  transactionId,
  fileName: fixedName.inSummary(),
  buildId: requestedBuildId,
});

/** Brings the next part of a file. Source: pnNetProtocol/pnNpCli2File.h. */
export const File2Cli_FileDownloadReply = fileMessage("File2Cli_FileDownloadReply", 21, {
  transactionId,
  result,
  readerId,
  totalFileSize: u32.inSummary(),
  byteCount: u32.inSummary(),
  fileData: bytes("byteCount"),
});

/** Says that a part of the file has arrived. Source: pnNetProtocol/pnNpCli2File.h. */
export const Cli2File_FileDownloadChunkAck = fileMessage("Cli2File_FileDownloadChunkAck", 23, {
  transactionId,
  readerId,
});
