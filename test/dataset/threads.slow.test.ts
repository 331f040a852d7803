import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type ExportOptions, exportCommand } from "../../src/cli/dataset/run-export.js";
import { makeTraffic, type Traffic } from "../bench/traffic/traffic.js";
import { buildProgram } from "../support/installed-program.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Several threads write what one writes: the same files, byte for byte. */

const folder = temporaryFolder();
/** The most messages of a part: fewer than usual, so that there are several. */
const PART = 6144;
/** The module that threads of the built program run. */
let worker: URL;
let traffic: Traffic;
beforeAll(() => {
  worker = new URL("../src/cli/worker.js", pathToFileURL(buildProgram(join(folder, "program"))));
  // Three parts: when the last one begins, what was handed over is more than a thread has read so far.
  traffic = makeTraffic(join(folder, "traffic"), { size: 2_700_000, pool: 600, hasTwin: false });
}, 120_000);

let datasets = 0;

/** The files of a dataset that several threads write, of which this is one, by their names. */
async function exported(threads: number, capture: string, options: ExportOptions): Promise<Map<string, string>> {
  const output = join(folder, `${datasets++}`);
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await exportCommand(
    [capture],
    { ...options, threads, output },
    { stdout, stderr, env: {}, worker },
    PART,
  );
  expect([code, String(stderr.read())]).toEqual([0, expect.stringContaining("exported")]);
  return takenFrom(output);
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
      const options = { fields: true };
      const one = await exported(1, sample(name), options);
      expect(one.size).toBeGreaterThan(300);
      expect(different(one, await exported(2, sample(name), options))).toEqual([]);
    },
    120_000,
  );

  it("is that of one, where each makes the rows of some parts", async () => {
    expect(traffic.messages).toBeGreaterThan(2 * PART);
    const options = { keys: [traffic.keys], sdl: [traffic.sdl] };
    const one = await exported(1, traffic.capture, options);
    expect([...one.keys()].filter((name) => !name.includes("HIVE")).length).toBeGreaterThan(15);
    expect(different(one, await exported(3, traffic.capture, options))).toEqual([]);
  }, 120_000);
});
