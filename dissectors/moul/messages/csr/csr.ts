import { bytes, uuid } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { message, netString, result, transactionId } from "../message.js";
import { pingPayload, pingTime } from "../ping.js";

/** Keeps the connection alive. Source: Cli2Csr/pnNpCli2Csr.cpp (2011). */
export const Cli2Csr_PingRequest = message("Cli2Csr_PingRequest", 0, { transactionId, pingTime, ...pingPayload });

/** Returns a ping. Source: Cli2Csr/pnNpCli2Csr.cpp (2011). */
export const Csr2Cli_PingReply = message("Csr2Cli_PingReply", 0, { transactionId, pingTime, ...pingPayload });

/** Opens the conversation. Source: Cli2Csr/pnNpCli2Csr.cpp (2011). */
export const Cli2Csr_RegisterRequest = message("Cli2Csr_RegisterRequest", 1, { transactionId });

/** Gives the challenge for the login. Source: Cli2Csr/pnNpCli2Csr.cpp (2011). */
export const Csr2Cli_RegisterReply = message("Csr2Cli_RegisterReply", 1, {
  transactionId,
  serverChallenge: u32.sensitive("password").varies(),
  csrBuildId: u32.doc("Build of the newest CSR client."),
});

/** Logs a customer service representative in. Source: Cli2Csr/pnNpCli2Csr.cpp (2011). */
export const Cli2Csr_LoginRequest = message("Cli2Csr_LoginRequest", 2, {
  transactionId,
  clientChallenge: u32.sensitive("password").varies(),
  csrName: netString.sensitive("account-name").inSummary(),
  challengeHash: bytes(20).sensitive("password").varies(),
});

/** Says whether the login worked. Source: Cli2Csr/pnNpCli2Csr.cpp (2011). */
export const Csr2Cli_LoginReply = message("Csr2Cli_LoginReply", 2, {
  transactionId,
  result,
  csrId: uuid.sensitive("account-id").standsFor("csr"),
  csrFlags: u32,
});
