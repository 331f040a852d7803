import { spawn, spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { ended } from "../support/ended.js";
import { buildProgram } from "../support/installed-program.js";
import { isPosix } from "../support/platform.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
let program: string;
beforeAll(() => {
  program = buildProgram(join(folder, "program"));
}, 120_000);

it.runIf(isPosix).each([
  { command: "export", signal: "SIGTERM", args: ["-o", join(folder, "dataset")] },
  { command: "split", signal: "SIGHUP", args: ["-o", join(folder, "parts")] },
  { command: "sql", signal: "SIGTERM", args: ["SELECT 1"] },
] as const)("$command says that $signal has ended it before it read a capture", async ({ command, signal, args }) => {
  const keys = join(folder, `${command}.keys`);
  spawnSync("mkfifo", [keys]);
  const child = spawn(process.execPath, [program, command, ...args, sample("nagus-plain.pcap"), "--keys", keys]);
  const end = ended(child);
  // This waits until the keys are being read.
  const pipe = openSync(keys, "w");
  child.kill(signal);
  // A process does not end while it reads from a pipe to which nothing is written.
  await new Promise((resolve) => setTimeout(resolve, 300));
  closeSync(pipe);
  expect(await end).toEqual({ code: 130, stdout: "", stderr: "" });
});
