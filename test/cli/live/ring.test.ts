import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Ring } from "../../../src/cli/live/ring.js";
import { chunks, pcapFile } from "../../support/captures.js";
import { run } from "../../support/command-line.js";
import { MoulTalk, packetsOf, ping } from "../../support/moul-session.js";
import { RAW } from "../../support/network.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const folder = temporaryFolder();
const packets = packetsOf(
  Array.from({ length: 200 }, (_, index) => index).reduce(ping, new MoulTalk("auth", { encryption: "none" }).opens()),
);
const whole = pcapFile(
  packets.map((data, index) => ({ data, seconds: index })),
  { linkType: RAW },
);

/** Writes the recording in such pieces; returns the names of the files, and those that are in the folder. */
function kept(name: string, bytes: number, piece: number) {
  const ring = new Ring(join(folder, name), bytes);
  for (const chunk of chunks(whole, piece)) ring.write(chunk);
  const files = ring.end();
  const stem = name.replace(/\.pcap$/, "");
  const there = readdirSync(folder).filter((file) => file.startsWith(`${stem}-`));
  return { files, there: there.sort().map((file) => join(folder, file)) };
}

describe("a ring of files", () => {
  it.each([1, 7, 999, whole.length])("keeps the last part of a recording, which comes in pieces of %i", (piece) => {
    const size = 6000;
    const { files, there } = kept(`piece${piece}.pcap`, size, piece);
    expect(files).toEqual(there);
    expect(files).toHaveLength(4);
    const sizes = files.map((file) => statSync(file).size);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(size / 4);
    expect(sizes.slice(0, 3).every((one) => one > size / 4 - 100)).toBe(true);
    // All packets at the end of the recording, whole and in order.
    const [header = Buffer.alloc(0), ...rest] = files.map((file) => readFileSync(file));
    const bodies = Buffer.concat([header, ...rest].map((file) => file.subarray(24)));
    expect(bodies.equals(whole.subarray(whole.length - bodies.length))).toBe(true);
  });

  it("is a recording of one piece if there is room for it", async () => {
    const { files } = kept("all.pcap", 10 * whole.length, 4096);
    expect(files.map((file) => readFileSync(file))).toEqual([Buffer.from(whole)]);
    expect((await run([files[0] ?? "", "--format", "summary"])).code).toBe(0);
  });

  it("overwrites nobody's recording", () => {
    kept("mine.pcap", 6000, 4096);
    expect(() => kept("mine.pcap", 6000, 4096)).toThrow("EEXIST");
  });

  it.each(["late.pcap", "late"])("finds a recording that it would come to later: %s", (name) => {
    const ring = () => new Ring(join(folder, name), 3000);
    expect(ring().taken()).toBeUndefined();
    const { files } = kept(name, 3000, 4096);
    expect(files.length).toBeLessThan(Number(/-(\d+)(\.pcap)?$/.exec(files.at(-1) ?? "")?.[1]));
    expect(ring().taken()).toBe(files[0]);
    expect(new Ring(join(folder, "lat"), 3000).taken()).toBeUndefined();
  });
});
