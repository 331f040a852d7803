import { flags, type Nodes, remarked, struct } from "../../../src/schema/index.js";
import { u16, u32 } from "../../../src/schema/little-endian.js";

/** Source: specification "plLocation", LocFlags. */
export const LocFlags = {
  kLocalOnly: 1 << 0,
  kVolatile: 1 << 1,
  kReserved: 1 << 2,
  kBuiltIn: 1 << 3,
  kItinerant: 1 << 4,
};

/** Age and page number that a sequence number encodes; undefined for the ranges that encode none. */
export function ageAndPage(sequenceNumber: number): { readonly age: number; readonly page: number } | undefined {
  if (sequenceNumber >= 0x21 && sequenceNumber <= 0xfeff0020) {
    const offset = sequenceNumber - 0x21;
    return { age: Math.floor(offset / 0x10000), page: offset % 0x10000 };
  }
  if (sequenceNumber >= 0xff010001 && sequenceNumber <= 0xfffffffe) {
    const offset = sequenceNumber - 0xff000001;
    return { age: -Math.floor(offset / 0x10000), page: offset % 0x10000 };
  }
  return undefined;
}

function describeSequenceNumber(sequenceNumber: number): string {
  const place = ageAndPage(sequenceNumber);
  if (place !== undefined) return `age ${place.age}, page ${place.page}`;
  if (sequenceNumber === 0) return "fixed keys";
  if (sequenceNumber === 0xffffffff) return "invalid";
  return sequenceNumber < 0x21 ? "local" : "reserved";
}

/** Identifies a location: usually a page of an age. Source: specification "Sequence number". */
export const sequenceNumber = remarked(u32, describeSequenceNumber);

function placeOf(nodes: Nodes, node: number): ReturnType<typeof ageAndPage> {
  const number = nodes.numberIn(node, "sequenceNumber");
  return number === undefined ? undefined : ageAndPage(number);
}

/** A place in the engine where keyed objects live, usually a page loaded from a .prp file. */
export const plLocation = struct(
  "plLocation",
  {
    sequenceNumber,
    flags: flags(u16, LocFlags),
  },
  {
    derived: [
      {
        name: "age",
        doc: "Age number (sequence prefix) in the sequence number; negative for global ages.",
        schema: { type: "integer" },
        inTree: false,
        of: (nodes, node) => placeOf(nodes, node)?.age,
      },
      {
        name: "page",
        doc: "Page number (sequence suffix) in the sequence number.",
        schema: { type: "integer" },
        inTree: false,
        of: (nodes, node) => placeOf(nodes, node)?.page,
      },
    ],
  },
);
