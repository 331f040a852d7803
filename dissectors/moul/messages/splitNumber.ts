import { type Derived, derivedFlags, type FieldTree, type Names, type StructType, struct } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/little-endian";

function wholeNumber(nodes: FieldTree, node: number): number | undefined {
  const high = nodes.numberIn(node, "highHalf");
  const low = nodes.numberIn(node, "lowHalf");
  return high === undefined || low === undefined ? undefined : high * 0x10000 + low;
}

/**
 * A 32-bit number among the UTF-16 texts of a file list: its halves as units, the more significant one first, then a
 * zero.
 */
function halves(name: string, derived: Derived): StructType<{ highHalf: number; lowHalf: number; terminator: number }> {
  return struct(name, { highHalf: u16, lowHalf: u16, terminator: u16 }, { derived: [derived] });
}

/** A split number that is a plain number. Source: auth_server "FileListReply"; plNetGameLib/plNglFile.cpp. */
export const splitNumber = halves("splitNumber", {
  name: "value",
  doc: "The number that both halves make.",
  schema: { type: "integer" },
  of: wholeNumber,
});

/** A split number whose bits have names (masks). Source: plNetGameLib/plNglFile.cpp. */
export function splitFlags(names: Names): ReturnType<typeof halves> {
  const doc = "The bits that are set in the number that both halves make.";
  return halves("splitFlags", derivedFlags("flags", { doc, names, of: wholeNumber }));
}
