import { checkedType } from "../dissect/step-check.js";
import type { Dissector } from "../dissector/dissector.js";
import { blaming } from "../dissector/failure.js";
import type { AllDeclarations } from "../output/json-schema/message.js";
import { kindsWith } from "../schema/language/sensitive.js";
import type { Struct } from "../schema/language/struct.js";
import { declaredTypes } from "./declared-types.js";

/**
 * All messages and types that dissectors declare.
 *
 * @throws DissectorFailure
 */
export function declarations(dissectors: readonly Dissector[]): AllDeclarations {
  const messages = new Set<Struct>();
  for (const dissector of dissectors) {
    for (const directions of dissector.messages?.values() ?? []) {
      for (const { struct } of Object.values(directions).flat()) messages.add(struct);
    }
    const otherForms = blaming(dissector.name, () => [...(dissector.otherForms?.() ?? [])].map(checkedType));
    for (const { struct } of otherForms) messages.add(struct);
    for (const type of dissector.types.values()) {
      // Structs that belong to no single protocol, such as those that set up connections, are declared only here.
      if (type.descriptor.struct !== undefined) messages.add(type.descriptor.struct);
    }
  }
  // As in decode.
  const declared = [...declaredTypes(dissectors)];
  const types = new Map(declared.map(([name, { type }]) => [name, type]));
  const otherReadings = new Map(
    declared.flatMap(([name, { other }]) => (other === undefined ? [] : [[name, other.type] as const])),
  );
  const own = dissectors.flatMap(({ sensitiveKinds = [] }) => sensitiveKinds);
  return { messages: [...messages], types, otherReadings, sensitive: [...kindsWith(own).keys()] };
}
