import type { Field } from "./field.js";
import type { Struct } from "./struct.js";

/** True if a value of a struct can introduce names, by itself or by what is in it. */
export function canIntroduce(struct: Struct): boolean {
  return isFoundIn(struct, new Set());
}

/** True if the value of a field can. */
export function isIntroducing(field: Field): boolean {
  return isFoundBelow(field, new Set());
}

/** @param visited structs in which nothing was found, or that are being searched */
function isFoundIn(struct: Struct, visited: Set<Struct>): boolean {
  if (visited.has(struct)) return false;
  visited.add(struct);
  return struct.introduces !== undefined || struct.fields.some((field) => isFoundBelow(field, visited));
}

function isFoundBelow(field: Field, visited: Set<Struct>): boolean {
  const { struct, family, inner, elements, alternatives, resolver, candidates, parts } = field;
  // Without a list of what it finds, a resolver can find anything.
  if (resolver !== undefined && candidates.length + parts.length === 0) return true;
  const structs = [...(struct === undefined ? [] : [struct]), ...(family?.classes() ?? [])];
  if (structs.some((one) => isFoundIn(one, visited))) return true;
  const fields = [...(inner === undefined ? [] : [inner]), ...elements, ...alternatives, ...candidates, ...parts];
  return fields.some((one) => isFoundBelow(one, visited));
}
