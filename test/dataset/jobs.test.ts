import childProcess from "node:child_process";
import { EventEmitter } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { expect, it } from "vitest";
import { inProcesses } from "../../src/cli/dataset/jobs.js";

/** Returns what `spawn` does where there are too many open files. */
function notStarted(): EventEmitter {
  const child = new EventEmitter();
  process.nextTick(() => child.emit("error", new Error("spawn node EMFILE")));
  return child;
}

it("says that a process cannot be started, and exports nothing there", async () => {
  const { spawn } = childProcess;
  Object.assign(childProcess, { spawn: notStarted });
  syncBuiltinESMExports();
  try {
    const said: string[] = [];
    const codes = await inProcesses("program", [["export"], ["export"]], 1, String, (text) => said.push(text));
    const text = "another process cannot be started: spawn node EMFILE";
    expect({ codes, said }).toEqual({ codes: [70, 70], said: [text, text] });
  } finally {
    Object.assign(childProcess, { spawn });
    syncBuiltinESMExports();
  }
});
