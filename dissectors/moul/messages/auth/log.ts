import { type FieldTree, withTwin } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { message, netString } from "../message.js";

/** The lines of a field that are not blank. */
function linesOf(nodes: FieldTree, node: number, name: string): string[] {
  return (nodes.textIn(node, name) ?? "").split(/[\r\n\0]+/).filter((line) => line.trim() !== "");
}

/**
 * Reports an exception that a script did not catch. Source: auth_server "LogPythonTraceback";
 * pnNetProtocol/pnNpCli2Auth.cpp.
 */
export const Cli2Auth_LogPythonTraceback = message(
  "Cli2Auth_LogPythonTraceback",
  43,
  { tracebackText: netString.sensitive("machine") },
  // The exception itself; the lines before it say where it happened.
  {
    label: withTwin(
      (nodes: FieldTree, node: number) => linesOf(nodes, node, "tracebackText").at(-1),
      "line",
      () => ({ field: "tracebackText", isLast: true }),
    ),
  },
);

/** Reports that the client crashed. Source: auth_server "LogStackDump". */
export const Cli2Auth_LogStackDump = message(
  "Cli2Auth_LogStackDump",
  44,
  { stackDumpText: netString.sensitive("machine") },
  {
    label: withTwin(
      (nodes: FieldTree, node: number) => linesOf(nodes, node, "stackDumpText").at(0),
      "line",
      () => ({ field: "stackDumpText" }),
    ),
  },
);

/** Reports a debugger on the client. Source: auth_server "LogClientDebuggerConnect". */
export const Cli2Auth_LogClientDebuggerConnect = message("Cli2Auth_LogClientDebuggerConnect", 45, { nothing: u32 });
