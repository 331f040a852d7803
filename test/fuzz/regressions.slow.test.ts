import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent } from "../../src/schema/decode/window.js";
import { viewOf } from "../../src/schema/language/byte-source.js";
import { dissectFile } from "./files.js";
import { OutputCheck } from "./outputs.js";
import { Depth } from "./run.js";
import { types } from "./seeds.js";
import { checkTree, leavesBefore } from "./soundness.js";

/**
 * What fuzzing has found, so that it stays fixed: whole captures, and values of a type as hexadecimal digits
 * (`what.Type.hex`).
 */
const FOLDER = new URL("./regressions/", import.meta.url);
const NAMES = readdirSync(FOLDER);
const outputs = new OutputCheck();

describe("a fault found once stays fixed", () => {
  it.each(NAMES.filter((name) => name.includes(".pcap")))("%s", async (name) => {
    const bytes = new Uint8Array(readFileSync(new URL(name, FOLDER)));
    const run = await dissectFile({ bytes, keys: new Map() }, Depth.Printed, outputs);
    expect(run.frame).toBeGreaterThan(0);
  });

  it.each(NAMES.filter((name) => name.endsWith(".hex")))("%s", (name) => {
    const type = types.get(name.split(".")[1] ?? "");
    if (type === undefined) throw new Error(`there is no type for ${name}`);
    const bytes = new Uint8Array(Buffer.from(readFileSync(new URL(name, FOLDER), "latin1").trim(), "hex"));
    const decoder = new Decoder();
    const { nodes } = decoder;
    const decode = (end: number, extent: Extent) =>
      decoder.decode(type, { bytes, view: viewOf(bytes), start: 0, end }, extent);
    expect(decode(bytes.length, Extent.Exact)).toBe(true);
    const whole = leavesBefore(nodes, bytes.length);
    const isSound = nodes.outcome !== "malformed";
    for (let end = 0; end <= bytes.length; end++) {
      for (const extent of [Extent.Exact, Extent.Cut, Extent.Open]) {
        if (!decode(end, extent)) continue;
        checkTree(nodes);
        outputs.value(type, nodes);
        if (!isSound || extent !== Extent.Cut) continue;
        const before = whole.filter((leaf) => Number(/\d+$/.exec(leaf)?.[0]) <= end);
        expect(leavesBefore(nodes, end).slice(0, before.length)).toEqual(before);
      }
    }
  });
});
