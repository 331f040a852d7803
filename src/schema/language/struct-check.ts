import { type Condition, Test } from "./condition.js";
import type { Derived } from "./derived.js";
import type { Field } from "./field.js";
import { byNumber } from "./meaning.js";
import { fits, has64Bits, isBoolean, isWhole, lowBits, Opcode, rangeOf } from "./opcode.js";
import { type Reference, referencesOf, type Usage } from "./references.js";
import { lookUp } from "./rule-text.js";
import { isSensitiveBy } from "./sensitive.js";
import type { Struct } from "./struct.js";
import { FIELD_NAME, type TypeDescriptor } from "./type.js";

/** Throws for a mistake in a declaration that is seen without bytes, such as a rule on a field that does not exist. */
export function checkStruct(struct: Struct): void {
  const earlier = new Map<string, Field>();
  for (const field of struct.fields) {
    for (const reference of referencesOf(field)) expectReference(struct, earlier, reference);
    earlier.set(field.name, field);
  }
  expectNames(struct);
  expectNothingAfterRest(struct);
}

/** Throws unless a rule refers to the number in an earlier field, and can be true of some numbers there and not of others. */
function expectReference(struct: Struct, earlier: ReadonlyMap<string, Field>, reference: Reference): void {
  const { path, usage, by, rule } = reference;
  if (rule === "condition" && !reference.conditions().every((one) => typeof Object(one).test === "number")) {
    throw new Error(`${struct.title}: a condition of ${by} is not made by equals(), flag() or the like`);
  }
  // The struct around the group is where that is checked.
  if (rule === "condition" && struct.isOuter(path)) return;
  if (typeof path !== "string") throw new Error(`${struct.title}: ${by} depends on a field whose name is not given`);
  expectNumberAt(struct, earlier, path, usage);
  const tested = lookUp(path, struct.descriptors).descriptor;
  for (const one of reference.conditions()) checkCondition(one, tested, struct.title);
}

/** Throws unless a path leads to a number of the right kind in one of some fields. */
function expectNumberAt({ title }: Struct, fields: ReadonlyMap<string, Field>, path: string, usage: Usage): void {
  const [head = "", ...tail] = path.split(".");
  const field = fields.get(head);
  if (field === undefined) throw new Error(`${title}: ${path} is not an earlier field`);
  const inner = tail.join(".");
  if (inner !== "") {
    if (field.opcode !== Opcode.Struct || field.struct === undefined) {
      throw new Error(`${title}: ${head} is not a struct, so ${path} means nothing`);
    }
    const fields = new Map(field.struct.fields.map((one) => [one.name, one]));
    expectNumberAt(field.struct, fields, inner, usage);
    return;
  }
  const opcode = field.opcode === Opcode.Array ? field.inner?.opcode : field.opcode;
  if (opcode === Opcode.Struct) throw new Error(`${title}: ${head} is a struct: which field of it is meant?`);
  if (field.codec?.isWholeNumber !== true) expectNumber(opcode, usage, `${title}: ${head}`);
}

/**
 * Throws if the name of a derived value is taken, or if it or the binding of a name refers to a field that does not
 * exist.
 */
function expectNames(struct: Struct): void {
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
    if (sensitive === undefined || !isSensitiveBy(sensitive) || struct.descriptors.has(sensitive.by)) continue;
    throw new Error(`${struct.title}: what is private in ${field} depends on ${sensitive.by}, which is not a field`);
  }
  if (struct.valueField !== undefined && !taken.has(struct.valueField)) {
    throw new Error(`${struct.title}: its value is in ${struct.valueField}, which is not a field`);
  }
  for (const { kind, id, name, when } of struct.introduces ?? []) {
    if (typeof kind !== "string" || kind === "") {
      throw new Error(`${struct.name}: it introduces something without the kind of thing that it is`);
    }
    const named = typeof name === "object" ? name.in : name;
    for (const field of [id, named, when?.field ?? id]) {
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
function expectNothingAfterRest(struct: Struct): void {
  const index = struct.fields.findIndex(({ takesRest, conditions }) => takesRest && conditions.length === 0);
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

/**
 * Throws an Error if the numbers that a field can have make a condition on it true for all of them or for none: a u8 is
 * never 300, and since `1 << 31` is negative, no unsigned number is below it.
 *
 * @param descriptor the field that it tests, known to be a whole number, or a float of which bits are tested
 * @param where names the struct, for the message
 */
function checkCondition(
  { field, test, mask, operand }: Condition,
  descriptor: TypeDescriptor | undefined,
  where: string,
): void {
  if (descriptor === undefined) return;
  if (test === Test.AnyBit || test === Test.MaskedEquals) {
    const bits = mask & lowBits(descriptor);
    if (bits !== 0 && (operand & ~bits) === 0) return;
    throw new Error(`${where}: ${field} is tested for bits that ${descriptor.kind} does not have`);
  }
  const isOrder = test === Test.AtLeast || test === Test.Below;
  if (isOrder && isBoolean(descriptor.opcode)) {
    throw new Error(`${where}: ${field} is a boolean, which isTrue() and isFalse() test`);
  }
  const { least, greatest } = rangeOf(descriptor);
  if (fits(operand, descriptor) && !(isOrder && operand === least)) return;
  throw new Error(`${where}: comparing ${field} with ${operand} tells nothing: it is ${least} to ${greatest}`);
}
