import { u32 } from "../../../../src/schema/little-endian.js";
import { message, netString } from "../message.js";

/** Reports an exception that a script did not catch. Source: auth_server "LogPythonTraceback"; pnNpCli2Auth.cpp. */
export const Cli2Auth_LogPythonTraceback = message("Cli2Auth_LogPythonTraceback", 43, {
  tracebackText: netString.sensitive("machine"),
});

/** Reports that the client crashed. Source: auth_server "LogStackDump". */
export const Cli2Auth_LogStackDump = message("Cli2Auth_LogStackDump", 44, {
  stackDumpText: netString.sensitive("machine"),
});

/** Reports a debugger on the client. Source: auth_server "LogClientDebuggerConnect". */
export const Cli2Auth_LogClientDebuggerConnect = message("Cli2Auth_LogClientDebuggerConnect", 45, { nothing: u32 });
