import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { MOST_MESSAGES } from "../../src/cli/dataset/parts.js";
import { makeTraffic, type Traffic } from "../bench/traffic/traffic.js";
import { uncheckedRun } from "../support/command-line.js";
import { buildProgram } from "../support/installed-program.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Several threads write what one writes: the same files, byte for byte. */

const folder = temporaryFolder();
let program = "";
let traffic: Traffic;
beforeAll(() => {
  program = buildProgram(join(folder, "program"));
  // Three parts: when the last one begins, what was handed over is more than a thread has read so far.
  traffic = makeTraffic(join(folder, "traffic"), { size: 10_800_000, pool: 600, hasTwin: false });
}, 120_000);

let datasets = 0;

/** The files of a dataset that several threads write, by their names. */
function exported(threads: number, args: readonly string[]): Map<string, string> {
  const place = join(folder, `${datasets++}`);
  const words = [program, "export", ...args, "--threads", String(threads), "-o", place];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8", env: {} });
  expect([status, stderr]).toEqual([0, expect.stringContaining("exported")]);
  return takenFrom(place);
}

/** The files of a dataset that this thread writes, by their names. */
async function exportedByOne(args: readonly string[]): Promise<Map<string, string>> {
  const place = join(folder, `${datasets++}`);
  const { code, stderr } = await uncheckedRun(["export", ...args, "--threads", "1", "-o", place]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("exported")]);
  return takenFrom(place);
}

/** The files in a folder, by their names; the folder is removed. */
function takenFrom(place: string): Map<string, string> {
  const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const found = new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(place.length), readFileSync(path, "latin1")];
    }),
  );
  rmSync(place, { recursive: true });
  return found;
}

/** The files that are not in both datasets, or differ. */
function different(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
}

describe("the dataset of two and three threads", () => {
  it.each(["dirtsand-session.pcap", "bz0221-glclient.pcap"])(
    "is that of one: %s",
    async (name) => {
      const args = [sample(name), "--fields"];
      const one = await exportedByOne(args);
      expect(one.size).toBeGreaterThan(300);
      expect(different(one, exported(2, args))).toEqual([]);
    },
    120_000,
  );

  it("is that of one, where each makes the rows of some parts", async () => {
    expect(traffic.messages).toBeGreaterThan(2 * MOST_MESSAGES);
    const args = [traffic.capture, "--keys", traffic.keys, "--sdl", traffic.sdl];
    const one = await exportedByOne(args);
    expect([...one.keys()].filter((name) => !name.includes("HIVE")).length).toBeGreaterThan(15);
    expect(different(one, exported(2, args))).toEqual([]);
    expect(different(one, exported(3, args))).toEqual([]);
  }, 120_000);
});
