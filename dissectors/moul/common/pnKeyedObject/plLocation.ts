import { type FieldTree, flags, remarked, struct } from "moul-dissect/schema";
import { u16, u32 } from "moul-dissect/schema/little-endian";

/** Source: specification "plLocation", LocFlags. */
const LocFlags = {
  kLocalOnly: 1 << 0,
  kVolatile: 1 << 1,
  kReserved: 1 << 2,
  kBuiltIn: 1 << 3,
  kItinerant: 1 << 4,
};

/** Number of pages of an age. */
const PAGES = 0x10000;

/** Sequence numbers of page 0 of age 0, and of the first page beyond the last age with a positive number. */
const START = 0x21;
const END = 0xfeff0021;
/** The same for global ages, whose numbers are negative; none has the number 0. */
const GLOBAL_START = 0xff000001;
const GLOBAL_END = 0xffffffff;

/** The age and the page that a sequence number encodes; undefined for the ranges that encode none. */
function pageOf(sequenceNumber: number): { readonly age: number; readonly page: number } | undefined {
  const place = sequenceNumber - START;
  if (place >= 0 && sequenceNumber < END) return { age: Math.floor(place / PAGES), page: place % PAGES };
  const global = sequenceNumber - GLOBAL_START;
  const isGlobal = global >= PAGES && sequenceNumber < GLOBAL_END;
  return isGlobal ? { age: -Math.floor(global / PAGES), page: global % PAGES } : undefined;
}

function pageIn(nodes: FieldTree, node: number): ReturnType<typeof pageOf> {
  const sequenceNumber = nodes.numberIn(node, "sequenceNumber");
  return sequenceNumber === undefined ? undefined : pageOf(sequenceNumber);
}

function describeSequenceNumber(sequenceNumber: number): string {
  const place = pageOf(sequenceNumber);
  if (place !== undefined) return `age ${place.age}, page ${place.page}`;
  if (sequenceNumber === 0) return "fixed keys";
  if (sequenceNumber === 0xffffffff) return "invalid";
  return sequenceNumber < START ? "local" : "reserved";
}

/** Identifies a location: usually a page of an age. Source: specification "Sequence number". */
const sequenceNumber = remarked(u32, describeSequenceNumber);

/**
 * A place in the engine where keyed objects live, usually a page loaded from a .prp file. Source: specification
 * "plLocation"; pnKeyedObject/plUoid.cpp.
 */
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
        of: (nodes, node) => pageIn(nodes, node)?.age,
      },
      {
        name: "page",
        doc: "Page number (sequence suffix) in the sequence number.",
        schema: { type: "integer" },
        inTree: false,
        of: (nodes, node) => pageIn(nodes, node)?.page,
      },
    ],
  },
);
