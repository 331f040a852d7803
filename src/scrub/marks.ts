import type { Dissector } from "../dissector/dissector.js";
import { fieldFacts } from "../schema/describe/field-list.js";
import type { Struct } from "../schema/language/struct.js";

/** True if a dissector marks any of its fields as sensitive: without any mark, no field can be assumed harmless. */
export function marksSecrets({ types, messages = new Map() }: Dissector): boolean {
  const structs = new Set<Struct>();
  for (const { descriptor } of types.values()) if (descriptor.struct !== undefined) structs.add(descriptor.struct);
  for (const { c2s, s2c } of messages.values()) for (const { struct } of [...c2s, ...s2c]) structs.add(struct);
  for (const struct of structs) {
    for (const { sensitive = [] } of fieldFacts(struct)) if (sensitive.some((kind) => kind !== "unknown")) return true;
  }
  return false;
}
