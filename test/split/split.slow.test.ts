import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonLines, uncheckedRun } from "../support/command-line.js";
import { oncePerName } from "../support/once.js";
import { SAMPLES, sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { inNumbersOfWhole, packetsOf, type ReadPart } from "./whole-numbers.js";

/** Keys of a sample, which are found beside it, but not beside its parts. */
function keysOf(name: string): string[] {
  const keys = name.replace(/\.pcap(ng)?$/, ".keys");
  return readdirSync(sample()).includes(keys) ? ["--keys", sample(keys)] : [];
}

async function read(path: string, keys: readonly string[]): Promise<ReadPart> {
  const { stdout } = await uncheckedRun([path, "--json", ...keys]);
  return { packets: await packetsOf(path), lines: jsonLines(stdout) };
}

async function partsOf(folder: string, keys: readonly string[]): Promise<ReadPart[]> {
  return Promise.all(
    readdirSync(folder)
      .sort()
      .map((name) => read(join(folder, name), keys)),
  );
}

/** A sample as it is before it is split. */
const wholeSample = oncePerName((name) => read(sample(name), keysOf(name)));

describe.each(SAMPLES)("%s", (name) => {
  const keys = keysOf(name);

  it.each([
    ["--by", "conversation"],
    ["--by", "size", "--size", "50k"],
  ])("gives the same messages in parts as in the whole: %s %s", async (...how) => {
    const folder = temporaryFolder();
    const { code, stderr } = await uncheckedRun(["split", sample(name), "-o", folder, ...keys, ...how]);
    expect(code).toBe(0);
    expect(stderr.includes("read the parts with the same --keys")).toBe(keys.length > 0);
    const whole = await wholeSample(name);
    expect(inNumbersOfWhole(whole, await partsOf(folder, keys))).toEqual(whole.lines);
  });
});

describe.each(SAMPLES.filter((name) => keysOf(name).length > 0))("%s", (name) => {
  it("needs no key file where the keys are embedded", async () => {
    const folder = temporaryFolder();
    await uncheckedRun(["split", sample(name), "-o", folder, ...keysOf(name), "--embed-keys"]);
    const whole = await wholeSample(name);
    expect(inNumbersOfWhole(whole, await partsOf(folder, []))).toEqual(whole.lines);
  });
});

describe("split", () => {
  it("passes keys on that the capture has in it", async () => {
    const folder = temporaryFolder();
    const embedded = join(folder, "embedded.pcapng");
    await uncheckedRun(["keys", sample("nagus-session.pcap"), "--embed", embedded]);
    const parts = join(folder, "parts");
    expect(await uncheckedRun(["split", embedded, "-o", parts])).toMatchObject({ code: 0, stderr: "" });
    const whole = await read(embedded, []);
    expect(whole.lines.filter(({ summary }) => summary.includes("encrypted"))).toEqual([]);
    expect(inNumbersOfWhole(whole, await partsOf(parts, []))).toEqual(whole.lines);
  });

  it("leaves out conversations of which no message passes a filter", async () => {
    const folder = temporaryFolder();
    const filter = 'player.name == "Böb"';
    const name = "dirtsand-session.pcap";
    await uncheckedRun(["split", sample(name), "-o", folder, "-Y", filter]);
    const passing = jsonLines((await uncheckedRun([sample(name), "--json", "-Y", filter])).stdout);
    const streams = new Set(passing.map(({ stream }) => stream));
    const whole = jsonLines((await uncheckedRun([sample(name), "--json"])).stdout);
    const parts = await partsOf(folder, keysOf(name));
    const ids = (lines: ReadPart["lines"]) => lines.map(({ payloadId, names }) => [payloadId, names]);
    expect(streams.size).toBeGreaterThan(1);
    expect(parts.map(({ lines }) => ids(lines))).toEqual(
      [...streams].map((stream) => ids(whole.filter((line) => line.stream === stream))),
    );
  });

  it("splits a part again", async () => {
    const folder = temporaryFolder();
    const [halves, quarters] = [join(folder, "halves"), join(folder, "quarters")];
    await uncheckedRun(["split", sample("nagus-plain.pcap"), "-o", halves, "--by", "size", "--size", "20k"]);
    const half = join(halves, "nagus-plain-00001.pcapng");
    expect(readdirSync(halves).length).toBeGreaterThan(1);
    await uncheckedRun(["split", half, "-o", quarters]);
    const whole = await read(half, []);
    expect(whole.lines.length).toBeGreaterThan(0);
    expect(inNumbersOfWhole(whole, await partsOf(quarters, []))).toEqual(whole.lines);
  });

  it("does not leave parts of an earlier run beside its own", async () => {
    const folder = temporaryFolder();
    const args = ["split", sample("dirtsand-plain.pcap"), "-o", folder];
    await uncheckedRun(args);
    const before = readdirSync(folder);
    const again = await uncheckedRun([...args, "--by", "size"]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("exists: --force replaces") });
    expect(readdirSync(folder)).toEqual(before);
    expect((await uncheckedRun([...args, "--by", "size", "--force"])).code).toBe(0);
    expect(readdirSync(folder)).toEqual(["dirtsand-plain-00001.pcapng"]);
  });

  it("says what it cannot do", async () => {
    const folder = temporaryFolder();
    const throughFile = join(sample("dirtsand-plain.pcap"), "parts");
    const impossible = await uncheckedRun(["split", sample("dirtsand-plain.pcap"), "-o", throughFile]);
    expect(impossible).toMatchObject({ code: 1, stderr: `moul-dissect: ${throughFile}: there is no such folder\n` });
    const missing = await uncheckedRun(["split", join(folder, "nowhere.pcap"), "-o", folder]);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no such file") });
    expect(await uncheckedRun(["split", "-", "-o", folder])).toMatchObject({ code: 1 });
    expect(await uncheckedRun(["split", sample("nagus-plain.pcap"), "-o", folder, "--size", "1k"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--size needs --by size"),
    });
    const blocked = await uncheckedRun(["split", sample("nagus-plain.pcap"), "-o", sample("README.md")]);
    expect(blocked.code).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });
});
