import { u32 } from "moul-dissect/schema/little-endian";
import { result, transactionId } from "../message.js";
import { pingTime } from "../ping.js";
import { fileMessage } from "./fileMessage.js";

/** Keeps the connection alive. Source: pnNetProtocol/pnNpCli2File.h. */
export const Cli2File_PingRequest = fileMessage("Cli2File_PingRequest", 0, { pingTime });

/** Returns a ping. Source: pnNetProtocol/pnNpCli2File.h. */
export const File2Cli_PingReply = fileMessage("File2Cli_PingReply", 0, { pingTime });

/** Asks for the newest build. Source: pnNetProtocol/pnNpCli2File.h. */
export const Cli2File_BuildIdRequest = fileMessage("Cli2File_BuildIdRequest", 10, { transactionId });

/** Names the newest build. Source: pnNetProtocol/pnNpCli2File.h. */
export const File2Cli_BuildIdReply = fileMessage("File2Cli_BuildIdReply", 10, {
  transactionId,
  result,
  buildId: u32.inSummary(),
});

/** Announces a newer build, unasked. Source: pnNetProtocol/pnNpCli2File.h. */
export const File2Cli_BuildIdUpdate = fileMessage("File2Cli_BuildIdUpdate", 11, { buildId: u32.inSummary() });
