import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTraffic, type Traffic } from "../bench/traffic/traffic.js";
import { uncheckedRun } from "../support/command-line.js";
import { projectPath } from "../support/project-path.js";
import { DISTINCT_SESSIONS, sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Declarations are compiled for commands that look at few fields of a message; what they print does not depend on it. */

const folder = temporaryFolder();
let traffic: Traffic;

beforeAll(() => {
  // Enough for most types to be seen often, which is when they are compiled.
  traffic = makeTraffic(join(folder, "traffic"), { size: 1e6, pool: 300, hasTwin: false });
});

const INTERPRETED = { MOUL_DISSECT_INTERPRET: "1" };

describe("what is printed", () => {
  const columns = "-e number -e playerId -e objectName -e events.class -e result";
  const commands = [
    "stats --json",
    "stats --filter plNetMsgSDLState",
    "keys",
    "--format summary",
    "--format summary -Y plMessage",
    `--format fields ${columns}`,
    `--format fields ${columns} -Y plNetMsgGameMessage`,
    "--json -Y plNetMsgSDLStateBCast",
  ];

  it.each(commands)("by %s is the same without compiled declarations", async (command) => {
    const { capture, keys, sdl } = traffic;
    const args = [...command.split(" "), capture, "--keys", keys, "--sdl", sdl];
    expect(await uncheckedRun(args, INTERPRETED)).toEqual(await uncheckedRun(args));
  });

  it.each(DISTINCT_SESSIONS)("by stats and as a summary is the same for %s", async (name) => {
    const columns = ["class", "objectName", "result"].flatMap((name) => ["-e", name]);
    for (const words of [["stats"], ["--format", "summary"], ["--format", "fields", ...columns]]) {
      const args = [...words, sample(name)];
      expect(await uncheckedRun(args, INTERPRETED)).toEqual(await uncheckedRun(args));
    }
  });

  it("is the same where no code may be made of strings", async () => {
    const { capture, keys, sdl } = traffic;
    const args = ["stats", "--json", capture, "--keys", keys, "--sdl", sdl];
    const words = ["--disallow-code-generation-from-strings", projectPath("dist/bin/moul-dissect.js"), ...args];
    const { stdout } = await uncheckedRun(args);
    expect(execFileSync(process.execPath, words, { encoding: "utf8", env: {} })).toBe(stdout);
  });
});
