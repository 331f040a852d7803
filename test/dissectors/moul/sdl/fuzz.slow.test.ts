import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, it } from "vitest";
import { sdlBlob } from "../../../../dissectors/moul/sdl/sdlBlob.js";
import "../../../../dissectors/moul/creatables.js";
import type { SdlDescriptors } from "../../../../dissectors/moul/sdl/descriptors.js";
import { atomicCounts } from "../../../../dissectors/moul/sdl/state-descriptor.js";
import { fieldJson } from "../../../../src/output/json/field-json.js";
import { decodeWhole, expectRoundTrip } from "../../../support/check.js";
import { treeJson } from "../../../support/shown.js";
import { expectTiling } from "../../../support/tiling.js";
import { vectorsIn } from "../../../support/vectors.js";
import { blob, given } from "./given.js";

const type = fc.constantFrom(...Object.keys(atomicCounts), "$D", "$E", "$Missing");
const length = fc.constantFrom("1", "1", "1", "2", "3", "", "300");
const variable = fc.tuple(type, length).map(([name, count]) => `VAR ${name} v[${count}]`);
const descriptor = fc.array(variable, { maxLength: 6 }).map((variables) => `{ VERSION 1 ${variables.join(" ")} }`);

/** Bytes that look like a record more often than chance would. */
const byte = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 0, 0, 1, 2, 6, 8, 0x10, 0xf0) },
  { weight: 1, arbitrary: fc.nat(255) },
);
const record = fc
  .array(
    fc.oneof(
      byte.map((value) => [value]),
      fc.constant([0, 0, 6, 1]),
      fc.constant([0, 0, 1, 0, 0, 6, 0, 0]),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => Buffer.from(pieces.flat()).toString("hex"));

/** Decodes bytes that need not make sense: the leaves still tile them, and they can be written back. */
function survive(bytes: Uint8Array, descriptors: SdlDescriptors): void {
  const nodes = decodeWhole(sdlBlob, bytes, descriptors);
  expectTiling(nodes);
  expectRoundTrip(sdlBlob, nodes, descriptors);
  JSON.parse(fieldJson(nodes, 0));
  JSON.parse(`{${treeJson(nodes)}}`);
}

describe("decoding never throws and loses no byte", () => {
  it("for arbitrary bytes and descriptors", () => {
    fc.assert(
      fc.property(descriptor, descriptor, record, (d, e, hex) => {
        survive(blob("E", 1, "000006", hex), given(`STATEDESC D ${d} STATEDESC E ${e}`));
      }),
      { numRuns: 400 },
    );
  });

  it("for valid records with wrong or missing bytes", () => {
    const descriptors = given(readFileSync(new URL("../../../vectors/descriptors.sdl", import.meta.url), "utf8"));
    const sound = vectorsIn("sdl-blobs").map(({ hex }) => Buffer.from(hex, "hex"));
    const change = fc.tuple(fc.nat(3000), fc.oneof(byte, fc.constant(0xff)));
    fc.assert(
      fc.property(fc.constantFrom(...sound), fc.array(change, { maxLength: 4 }), fc.nat(300), (bytes, changes, cut) => {
        // Half of them are not cut.
        const changed = Buffer.from(bytes.subarray(0, Math.max(bytes.length - Math.max(cut - 150, 0), 1)));
        for (const [place, value] of changes) changed[place % changed.length] = value;
        survive(changed, descriptors);
      }),
      { numRuns: 400 },
    );
  });
});
