import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { runCaptures } from "../../src/pipeline/run.js";
import { captureAt } from "../../src/platform/node/capture-file.js";
import { givenFiles } from "../../src/platform/node/file-on-disk.js";
import { madeOfStrings, prebuilt, takeFactoriesFrom } from "../../src/schema/skim/factories.js";
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

  it("comes of code that was made when the program was built, where none may be made of strings", async () => {
    const { factories } = await import(pathToFileURL(projectPath("dist/src/cli/prebuilt-skims.js")).href);
    const built = prebuilt(factories);
    let found = 0;
    const missing: string[] = [];
    takeFactoriesFrom((names, code) => {
      missing.push(code);
      const factory = built(names, code);
      missing.pop();
      found++;
      return factory;
    });
    try {
      const { capture, keys, sdl } = traffic;
      const options = { keys: givenFiles([keys]), definitions: givenFiles([sdl]), skims: true };
      let classes = 0;
      await runCaptures([captureAt(capture)], options, ({ nodes }) => nodes?.forEachClass(() => classes++));
      expect(classes).toBeGreaterThan(1000);
    } finally {
      takeFactoriesFrom(madeOfStrings);
    }
    expect(found).toBeGreaterThan(20);
    // Of SDL records, which the user's files define, and of what has them, decided while the program runs.
    expect(missing.length).toBeLessThanOrEqual(3);
  });

  it("is the same where no code may be made of strings", async () => {
    const { capture, keys, sdl } = traffic;
    const args = ["stats", "--json", capture, "--keys", keys, "--sdl", sdl];
    const words = ["--disallow-code-generation-from-strings", projectPath("dist/bin/moul-dissect.js"), ...args];
    const { stdout } = await uncheckedRun(args);
    expect(execFileSync(process.execPath, words, { encoding: "utf8", env: {} })).toBe(stdout);
  });
});
