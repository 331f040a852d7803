import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTraffic, type Traffic } from "../bench/traffic/traffic.js";
import { buildProgram } from "../support/installed-program.js";
import { ranProgram } from "../support/program-run.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Columns that several threads print, among which the conversations are divided: the same output as with one. */

const folder = temporaryFolder();
let program = "";
let traffic: Traffic;
beforeAll(() => {
  program = buildProgram(join(folder, "program"));
  traffic = makeTraffic(join(folder, "traffic"), { size: 600_000, pool: 500, hasTwin: false });
}, 120_000);

const columns = (args: readonly string[], path = program) => ranProgram(path, args);
const own = () => [traffic.capture, "--keys", traffic.keys, "--sdl", traffic.sdl];
/** What is said if conversations are not divided. */
const GIVEN_UP = /moul-dissect: --threads \d: conversations are not divided, because (.*)\n/;

describe("the columns of several threads", () => {
  it.each([
    ["of what passes a filter", () => [...own(), "-e", "number", "-e", "objectName", "-Y", "plNetMsgGameMessage"], [2]],
    ["as CSV", () => [...own(), "-e", "time", "-e", "objectName", "-e", "number", "-e", "flags", "--csv"], [3]],
    ["without keys", () => [traffic.capture, "-e", "message", "-e", "number", "--fail-on", "undecrypted"], [2]],
    [
      "of several captures, two of which are none",
      () => [
        sample("dirtsand-plain.pcap"),
        traffic.capture,
        sample("README.md"),
        "none.pcap",
        "-e",
        "number",
        "-e",
        "notes",
      ],
      [2],
    ],
    ["with checksums, of which nothing passes", () => [...own(), "--checksums", "-e", "number", "-Y", "plNone"], [2]],
  ])("are those of one: %s", async (_what, args, threads) => {
    const words = args().map((word) => (word === "plNone" ? 'message == "none"' : word));
    const one = await columns([...words, "--threads", "1"]);
    for (const count of threads) expect(await columns([...words, "--threads", String(count)])).toEqual(one);
  });

  it("go on with one where a message depends on a name of another conversation", async () => {
    const words = [...own(), "-e", "number", "-e", "conversation.player", "-e", "names.name"];
    const one = await columns([...words, "--threads", "1"]);
    const two = await columns([...words, "--threads", "2"]);
    expect(two.stdout).toBe(one.stdout);
    expect(GIVEN_UP.exec(two.stderr)?.[1]).toBe("a message depends on a name");
  });

  it("go on with one after a loss", async () => {
    const lossy = join(folder, "lossy.pcap");
    writeFileSync(lossy, withoutRecord(readFileSync(traffic.capture), 1200));
    const words = [lossy, ...own().slice(1), "-e", "number", "-e", "message", "-e", "notes"];
    const one = await columns([...words, "--threads", "1"]);
    expect(one.stdout).toMatch(/\tgap\t/);
    const two = await columns([...words, "--threads", "2"]);
    expect(two.stdout).toBe(one.stdout);
    expect(two.code).toBe(one.code);
    expect(GIVEN_UP.exec(two.stderr)?.[1]).toMatch(/uncertain/);
    expect(two.stderr.replace(GIVEN_UP, "")).toBe(one.stderr);
  });

  it("are printed again by one if a thread fails", async () => {
    const copy = buildProgram(join(folder, "broken"));
    writeFileSync(join(copy, "../../src/cli/dividing/printing-worker.js"), "throw new Error('no');");
    const words = [...own(), "-e", "number", "-e", "message"];
    const two = await columns([...words, "--threads", "2"], copy);
    expect(GIVEN_UP.exec(two.stderr)?.[1]).toBe("another thread failed");
    expect(two.stdout).toBe((await columns([...words, "--threads", "1"])).stdout);
  });
});

/** A capture without one of its packets, which carries data. */
function withoutRecord(capture: Uint8Array, index: number): Uint8Array {
  const view = new DataView(capture.buffer, capture.byteOffset, capture.length);
  let at = 24;
  const lengthAt = (at: number) => view.getUint32(at + 8, true);
  for (let record = 0; record < index || lengthAt(at) < 200; record++) at += 16 + lengthAt(at);
  return Buffer.concat([capture.subarray(0, at), capture.subarray(at + 16 + lengthAt(at))]);
}
