import { bytes, struct } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { message, netString, result, transactionId } from "../message.js";
import { splitNumber } from "../splitNumber.js";
import { emptyList, listEnd, listEntries } from "../unitList.js";
import { zeroTerminated } from "../zeroTerminated.js";

/** Asks which files there are. Source: auth_server "FileListRequest"; pnNetProtocol/pnNpCli2Auth.cpp. */
export const Cli2Auth_FileListRequest = message("Cli2Auth_FileListRequest", 37, {
  transactionId,
  directory: netString.inSummary(),
  extension: netString.inSummary(),
});

/** One file of a list. Source: auth_server "FileListReply"; plNetGameLib/plNglAuth.cpp. */
const FileListEntry = struct("FileListEntry", {
  name: zeroTerminated,
  size: splitNumber,
});

/** Lists files. Source: auth_server "FileListReply"; plNetGameLib/plNglAuth.cpp, FileListRequestTrans::Recv. */
export const Auth2Cli_FileListReply = message("Auth2Cli_FileListReply", 36, {
  transactionId,
  result,
  fileListElementCount: u32.doc("Number of 16-bit units in the list, its end included."),
  fileList: listEntries("fileListElementCount", FileListEntry),
  terminator: listEnd("fileListElementCount"),
  emptyFileList: emptyList("fileListElementCount"),
});

/** Asks for a file. Source: auth_server "FileDownloadRequest". */
export const Cli2Auth_FileDownloadRequest = message("Cli2Auth_FileDownloadRequest", 38, {
  transactionId,
  filePath: netString.inSummary(),
});

/** Brings the next part of a file. Source: auth_server "FileDownloadChunk". */
export const Auth2Cli_FileDownloadChunk = message("Auth2Cli_FileDownloadChunk", 37, {
  transactionId,
  result,
  totalFileSize: u32.inSummary(),
  chunkOffset: u32.inSummary(),
  chunkSize: u32.inSummary(),
  chunkData: bytes("chunkSize"),
});

/** Says that a part of the file has arrived. Source: auth_server "FileDownloadChunkAck". */
export const Cli2Auth_FileDownloadChunkAck = message("Cli2Auth_FileDownloadChunkAck", 39, { transactionId });
