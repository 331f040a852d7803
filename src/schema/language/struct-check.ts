import { FIELD_NAME } from "./field.js";
import { byNumber } from "./numbers.js";
import { has64Bits, isWhole, lowBits, Opcode } from "./opcode.js";
import type { Derived, Struct, Usage } from "./struct.js";
import type { TypeDescriptor } from "./type.js";

/**
 * Throws if the name of a derived value is taken, or if it or the binding of a name refers to a field that does not
 * exist.
 */
export function expectNames(struct: Struct): void {
  const taken = new Set(struct.descriptors.keys());
  for (const derived of struct.derived) {
    if (!FIELD_NAME.test(derived.name))
      throw new Error(`${struct.name}: ${JSON.stringify(derived.name)} is not a valid name for a value`);
    if (taken.has(derived.name))
      throw new Error(`${struct.name}: the name of the derived value ${derived.name} is taken`);
    taken.add(derived.name);
    if (typeof derived.doc !== "string" || derived.schema === undefined || typeof derived.of !== "function") {
      throw new Error(`${struct.title}: the derived value ${derived.name} must be { name, doc, schema, of }`);
    }
    // Throws for what is not a whole number.
    byNumber(derived.names ?? {});
    if ("bitsOf" in derived) expectBits(struct, derived);
  }
  for (const [field, { sensitive }] of struct.descriptors) {
    if (typeof sensitive !== "object" || struct.descriptors.has(sensitive.by)) continue;
    throw new Error(`${struct.title}: what is private in ${field} depends on ${sensitive.by}, which is not a field`);
  }
  if (struct.valueField !== undefined && !taken.has(struct.valueField)) {
    throw new Error(`${struct.title}: its value is in ${struct.valueField}, which is not a field`);
  }
  for (const { kind, id, name, when } of struct.introduces ?? []) {
    if (typeof kind !== "string" || kind === "") {
      throw new Error(`${struct.name}: it introduces something without the kind of thing that it is`);
    }
    for (const field of [id, name, when?.field ?? id]) {
      if (typeof field === "string" && !hasField(struct.descriptors, field)) {
        throw new Error(`${struct.name}: it introduces something by ${field}, which is not a field`);
      }
    }
  }
}

/** Throws unless the bits that a derived value consists of are bits of a whole number in this struct. */
function expectBits(struct: Struct, { name, bitsOf: field, mask = 0 }: Derived): void {
  const descriptor = struct.descriptors.get(field ?? "");
  const claim = `${struct.title}: ${name} consists of bits of ${field}`;
  if (descriptor === undefined) throw new Error(`${claim}, which is not a field`);
  if (descriptor.codec?.isWholeNumber === true) return;
  expectNumber(descriptor.opcode, "bits", `${struct.title}: ${field}`);
  if ((mask & ~lowBits(descriptor)) !== 0) throw new Error(`${claim} that ${descriptor.kind} does not have`);
}

/** Throws if a field follows one that is always present and takes all remaining bytes. */
export function expectNothingAfterRest(struct: Struct): void {
  const index = struct.fields.findIndex(({ takesRest, condition }) => takesRest && condition === undefined);
  const [taker, after] = index < 0 ? [] : struct.fields.slice(index);
  if (taker === undefined || after === undefined) return;
  throw new Error(`${struct.title}: ${after.name} follows ${taker.name}, which takes all remaining bytes`);
}

/** True for the path of a field: `a.b` is in the struct, or the region with a struct, that is the field `a`. */
function hasField(descriptors: ReadonlyMap<string, TypeDescriptor>, path: string): boolean {
  const [head = "", ...tail] = path.split(".");
  const descriptor = descriptors.get(head);
  if (descriptor === undefined || tail.length === 0) return descriptor !== undefined;
  return hasField((descriptor.content ?? descriptor).struct?.descriptors ?? new Map(), tail.join("."));
}

/** Throws unless the field of a struct that a rule looks at holds a number of the right kind. */
export function expectNumber(opcode: Opcode | undefined, usage: Usage, what: string): void {
  // The sign of a float may say whether there is anything.
  if (usage === "tested bits" && (opcode === Opcode.F32LE || opcode === Opcode.F32BE)) return;
  if (opcode === undefined || !isWhole(opcode)) throw new Error(`${what} is not a whole number`);
  if (usage === "number" && has64Bits(opcode)) {
    throw new Error(`${what} has 64 bits, of which only flags can be used`);
  }
}
