import { flags, remarked, struct } from "../../../src/schema/index.js";
import { u16, u32 } from "../../../src/schema/little-endian.js";

/** Source: specification "plLocation", LocFlags. */
const LocFlags = {
  kLocalOnly: 1 << 0,
  kVolatile: 1 << 1,
  kReserved: 1 << 2,
  kBuiltIn: 1 << 3,
  kItinerant: 1 << 4,
};

/** Pages of an age. */
const PAGES = 0x10000;

/** Sequence numbers of page 0 of age 0, and behind the last age that has a positive number. */
const START = 0x21;
const END = 0xfeff0021;
/** The same for global ages, whose numbers are negative; none has the number 0. */
const GLOBAL_START = 0xff000001;
const GLOBAL_END = 0xffffffff;

/** Age number that a sequence number encodes; undefined for the ranges that encode none. */
function ageOf(sequenceNumber: number): number | undefined {
  if (sequenceNumber >= START && sequenceNumber < END) return Math.floor((sequenceNumber - START) / PAGES);
  const isGlobal = sequenceNumber >= GLOBAL_START + PAGES && sequenceNumber < GLOBAL_END;
  return isGlobal ? -Math.floor((sequenceNumber - GLOBAL_START) / PAGES) : undefined;
}

/** Page number of a sequence number that encodes an age. */
function pageOf(sequenceNumber: number, age: number): number {
  return (sequenceNumber - (age < 0 ? GLOBAL_START : START)) % PAGES;
}

function describeSequenceNumber(sequenceNumber: number): string {
  const age = ageOf(sequenceNumber);
  if (age !== undefined) return `age ${age}, page ${pageOf(sequenceNumber, age)}`;
  if (sequenceNumber === 0) return "fixed keys";
  if (sequenceNumber === 0xffffffff) return "invalid";
  return sequenceNumber < 0x21 ? "local" : "reserved";
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
        of: (nodes, node) => {
          const number = nodes.numberIn(node, "sequenceNumber");
          return number === undefined ? undefined : ageOf(number);
        },
      },
      {
        name: "page",
        doc: "Page number (sequence suffix) in the sequence number.",
        schema: { type: "integer" },
        inTree: false,
        of: (nodes, node) => {
          const number = nodes.numberIn(node, "sequenceNumber");
          const age = number === undefined ? undefined : ageOf(number);
          return number === undefined || age === undefined ? undefined : pageOf(number, age);
        },
      },
    ],
  },
);
