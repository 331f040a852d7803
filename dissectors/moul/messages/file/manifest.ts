import { struct } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { result, transactionId } from "../message.js";
import { splitFlags, splitNumber } from "../splitNumber.js";
import { emptyList, listEnd, listEntries } from "../unitList.js";
import { zeroTerminated } from "../zeroTerminated.js";
import { fileMessage, fixedName, readerId, requestedBuildId } from "./fileMessage.js";

/** What the patcher does with a file. Source: pfPatcher/pfPatcher.cpp, FileFlags. */
const FileFlags = {
  kSndFlagCacheSplit: 1 << 0,
  kSndFlagStreamCompressed: 1 << 1,
  kSndFlagCacheStereo: 1 << 2,
  kFlagZipped: 1 << 3,
  kRedistUpdate: 1 << 4,
  kBundle: 1 << 5,
};

/** One file of a manifest. Source: plNetGameLib/plNglFile.cpp, ManifestRequestTrans; DIRTSAND FileManifest.cpp. */
const ManifestEntry = struct("ManifestEntry", {
  fileName: zeroTerminated,
  downloadName: zeroTerminated.doc("Name to ask for in a Cli2File_FileDownloadRequest."),
  fileHash: zeroTerminated.doc("MD5 of the file, in hexadecimal digits."),
  downloadHash: zeroTerminated.doc("MD5 of what is downloaded, which may be compressed."),
  fileSize: splitNumber,
  downloadSize: splitNumber,
  flags: splitFlags(FileFlags),
});

/** Asks which files belong to a group. Source: pnNetProtocol/pnNpCli2File.h. */
export const Cli2File_ManifestRequest = fileMessage("Cli2File_ManifestRequest", 20, {
  transactionId,
  group: fixedName.doc("Name of an age, or of a set of files such as ThinExternal.").inSummary(),
  buildId: requestedBuildId,
});

/** Lists the files of a group, or a part of them. Source: plNetGameLib/plNglFile.cpp, ManifestRequestTrans::Recv. */
export const File2Cli_ManifestReply = fileMessage("File2Cli_ManifestReply", 20, {
  transactionId,
  result,
  readerId,
  fileCount: u32.doc("Number of files in all parts of the list.").inSummary(),
  manifestElementCount: u32.doc("Number of 16-bit units in the list, its end included."),
  manifest: listEntries("manifestElementCount", ManifestEntry),
  terminator: listEnd("manifestElementCount"),
  emptyManifest: emptyList("manifestElementCount"),
});

/** Says that a part of the list has arrived. Source: pnNetProtocol/pnNpCli2File.h. */
export const Cli2File_ManifestEntryAck = fileMessage("Cli2File_ManifestEntryAck", 22, { transactionId, readerId });
