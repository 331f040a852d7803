import { deflate } from "pako";
import { counted } from "../../common/counted.js";
import { inflateAfter } from "../decode/inflate.js";
import { claimedLength, Field, holds, NO_SLOT, REST, UNDISSECTED, UNDISSECTED_NAME } from "../language/field.js";
import { Opcode } from "../language/opcode.js";
import type { Struct } from "../language/struct.js";
import type { NameOf, Type } from "../language/type.js";
import { viewOf } from "../tree/byte-source.js";
import { readCodedControl, readControl } from "../tree/leaf.js";
import { asBytes, encodeLeaf } from "./encode-leaf.js";
import { Exact } from "./exact.js";

/** Thrown for a value that cannot be encoded: the message says which field, and why. */
export class EncodeError extends Error {}

/** Options of `encode`. */
export interface EncodeOptions {
  /** True if the value may end early, as one decoded from malformed or truncated bytes does. */
  readonly isPartial?: boolean;
  /** Passed to `resolved` types, as in decoding. */
  readonly settings?: unknown;
  /** The names that the traffic had shown when the value was decoded. */
  readonly nameOf?: NameOf;
}

/**
 * Encodes a value: the inverse of decoding. Counts and lengths that are undefined are computed from what they count;
 * the types know nothing of that, and want them all.
 *
 * @throws EncodeError if a field is missing or has a value that its type cannot hold
 */
export function encode<V>(
  type: Type<V, boolean>,
  value: NoInfer<V>,
  { isPartial = false, settings, nameOf = () => undefined }: EncodeOptions = {},
): Uint8Array {
  // A value that could not be decoded and is not a struct has no place for undissected bytes: it is nothing but bytes.
  if (isPartial && value instanceof Uint8Array) return value;
  const output = new Output({ isPartial, settings, nameOf }, {});
  try {
    encodeField(new Field("value", type.descriptor), value, output, []);
  } catch (error) {
    throw error instanceof EncodeError ? error : new EncodeError(reasonOf(error));
  }
  return output.bytes();
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

type Members = Readonly<Record<string, unknown>>;

/** Bytes under construction. */
class Output {
  readonly #parts: Uint8Array[] = [];

  constructor(
    readonly options: Required<EncodeOptions>,
    /** The struct that is being encoded. */
    public members: Members,
  ) {}

  add(bytes: Uint8Array): void {
    this.#parts.push(bytes);
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

/**
 * Encodes the fields of a struct; returns the numbers that fields outside it use.
 *
 * @param slots the numbers of the struct around it that it uses
 */
function encodeStruct(struct: Struct, value: Members, output: Output, slots: number[] = []): number[] {
  const outer = output.members;
  output.members = value;
  let left = value[UNDISSECTED_NAME];
  for (const field of struct.fields) {
    if (!field.conditions.every((condition) => holds(condition, slots[condition.slot] ?? 0))) continue;
    // Null counts as given: it stands for a null creatable.
    const stated = value[field.name];
    const given =
      stated === undefined && !output.options.isPartial ? computedLength(struct, field, value, output, slots) : stated;
    if (given === undefined && mayBeMissing(field, slots)) continue;
    if (given === undefined && output.options.isPartial) break;
    try {
      encodeField(field, given, output, slots);
    } catch (error) {
      if (error instanceof EncodeError) throw new EncodeError(`${field.name}.${error.message}`);
      throw new EncodeError(`${field.name}: ${reasonOf(error)}`);
    }
    // A declared field may have that name too.
    if (field.name === UNDISSECTED_NAME) left = undefined;
  }
  if (left instanceof Uint8Array) output.add(left);
  output.members = outer;
  return slots;
}

/** Computes an omitted count or length from the value that it counts. */
function computedLength(
  struct: Struct,
  field: Field,
  value: Members,
  { options }: Output,
  slots: readonly number[],
): number | undefined {
  const counted = struct.fields.find(({ name, length, inflatedLengthSlot }) => {
    if (value[name] === undefined) return false;
    return length.claimedBy === field.name || (field.slot >= 0 && inflatedLengthSlot === field.slot);
  });
  if (counted === undefined) return undefined;
  const content = value[counted.name];
  if (counted.opcode === Opcode.Array) {
    return Array.isArray(content) ? claimOf(counted, content.length) : undefined;
  }
  const output = new Output(options, value);
  if (counted.length.claimedBy === field.name) {
    encodeField(counted, content, output, [...slots]);
    return claimOf(counted, output.bytes().length);
  }
  encodeContent(counted, unwrapped(content), output, [...slots]);
  return output.bytes().length;
}

/** Returns the number that claims a count or length. */
function claimOf({ length }: Field, counted: number): number {
  const number = (counted - length.plus) / length.times;
  if (Number.isInteger(number) && claimedLength(length, number) !== counted) {
    throw new EncodeError(`${length.claimedBy}: ${counted} does not fit into its bits`);
  }
  return number;
}

function mayBeMissing(field: Field, slots: readonly number[]): boolean {
  const { slot } = field.length;
  if (field.opcode === Opcode.Choice) {
    const chosen = field.chosen(slots[field.selectorSlot] ?? 0);
    return chosen === undefined || mayBeMissing(chosen, slots);
  }
  if (field.opcode === Opcode.Resolved) return true;
  if (field.opcode !== Opcode.Region && field.opcode !== Opcode.Bytes && field.opcode !== Opcode.Text) return false;
  return slot === REST || claimedLength(field.length, slots[slot] ?? 0) === 0;
}

function encodeField(field: Field, value: unknown, output: Output, slots: number[]): void {
  if (value instanceof Exact && value.value === undefined) {
    output.add(value.bytes);
    return;
  }
  switch (field.opcode) {
    case Opcode.Struct: {
      if (field.struct === undefined) return;
      const imported: number[] = [];
      for (const { from, to } of field.imports) imported[to] = slots[from] ?? 0;
      const inner = encodeStruct(field.struct, asObject(value), output, imported);
      for (const { from, to } of field.captures) slots[to] = inner[from] ?? 0;
      return;
    }
    case Opcode.Array:
      encodeArray(field, asArray(value), output, slots);
      return;
    case Opcode.Tuple:
      encodeTuple(field, asArray(value), output, slots);
      return;
    case Opcode.Resolved: {
      const { members, options } = output;
      const type = field.resolver?.((name) => unwrapped(members[name]), options.settings, options.nameOf) ?? "";
      encodeField(typeof type === "string" ? field.opaque : field.resolvedAs(type), value, output, slots);
      return;
    }
    case Opcode.Polymorphic:
      encodePolymorphic(field, value, output);
      return;
    case Opcode.Choice: {
      const chosen = field.chosen(slots[field.selectorSlot] ?? 0);
      if (chosen === undefined) output.add(asBytes(value));
      else encodeField(chosen, value, output, slots);
      return;
    }
    case Opcode.Region:
      if (field.compressed && holds(field.compressed, slots[field.compressed.slot] ?? 0)) {
        encodeCompressed(field, value, output, slots);
      } else encodeContent(field, value, output, slots);
      return;
    default: {
      const bytes = encodeLeaf(field, value);
      if (field.slot >= 0) slots[field.slot] = controlOf(field, bytes);
      output.add(bytes);
    }
  }
}

/** Returns the number that later fields use, from the bytes of a leaf. */
function controlOf(field: Field, bytes: Uint8Array): number {
  if (field.opcode === Opcode.Codec) return readCodedControl(field, bytes, 0, bytes.length);
  return readControl(field.opcode, viewOf(bytes), 0);
}

function encodeArray(field: Field, elements: readonly unknown[], output: Output, slots: number[]): void {
  const { inner, length } = field;
  if (inner === undefined) return;
  if (length.slot === NO_SLOT && elements.length !== length.plus && !output.options.isPartial) {
    throw new RangeError(`needs ${counted(length.plus, "element")}, has ${elements.length}`);
  }
  for (const element of elements) encodeField(inner, element, output, slots);
  if (field.slot < 0 || elements.length === 0) return;
  const first = encodeLeaf(inner, elements[0]);
  if (first.length === inner.width) slots[field.slot] = readControl(inner.opcode, viewOf(first), 0);
}

function encodeTuple(field: Field, values: readonly unknown[], output: Output, slots: number[]): void {
  const { elements } = field;
  if (values.length !== elements.length && !output.options.isPartial) {
    throw new RangeError(`needs ${counted(elements.length, "element")}, has ${values.length}`);
  }
  for (const [index, value] of values.entries()) {
    // After the last element there can only be left-over bytes.
    encodeField(elements[index] ?? UNDISSECTED, value, output, slots);
  }
}

/** Encodes what a length counts: the content of a region, or a leaf. */
function encodeContent(field: Field, value: unknown, output: Output, slots: number[]): void {
  if (field.opcode === Opcode.Region && field.inner !== undefined && !(value instanceof Uint8Array)) {
    if (field.otherForm === undefined) encodeField(field.inner, value, output, slots);
    else output.add(encodeEither(field.inner, field.otherForm.content, field, value, output, slots));
  } else output.add(encodeLeaf(field, value));
}

/** Encodes content in its usual form or, if the length that is claimed is not that of this one, in the other form. */
function encodeEither(
  usual: Field,
  other: Field,
  { length }: Field,
  value: unknown,
  { options, members }: Output,
  slots: number[],
): Uint8Array {
  const encoded = (form: Field) => {
    const content = new Output(options, members);
    encodeField(form, value, content, slots);
    return content.bytes();
  };
  const bytes = encoded(usual);
  const given = unwrapped(members[length.claimedBy]);
  const isUsual = typeof given !== "number" || claimedLength(length, given) === bytes.length;
  return options.isPartial || isUsual ? bytes : encoded(other);
}

function encodeCompressed(field: Field, value: unknown, output: Output, slots: number[]): void {
  if (value instanceof Uint8Array) {
    output.add(value);
    return;
  }
  const content = new Output(output.options, output.members);
  encodeContent(field, unwrapped(value), content, slots);
  const plain = content.bytes();
  if (value instanceof Exact) {
    // The compressed bytes are used only if they still inflate to the value.
    const { bytes } = inflateAfter(field.literal, value.bytes, plain.length);
    if (Buffer.compare(bytes, plain) === 0) {
      output.add(value.bytes);
      return;
    }
  }
  output.add(plain.subarray(0, field.literal));
  output.add(deflate(plain.subarray(field.literal)));
}

function encodePolymorphic(field: Field, value: unknown, output: Output): void {
  const { family } = field;
  if (family === undefined) return;
  if (value === null) {
    if (family.nullTag === undefined) throw new TypeError(`cannot be null: ${family.name} has no tag for it`);
    output.add(encodeLeaf(family.tagField, family.nullTag));
    return;
  }
  const object = asObject(value);
  const name = object["class"];
  const tag = object[family.tagName] ?? (typeof name === "string" ? family.named(name)?.tag : undefined);
  const struct = typeof name === "string" ? family.named(name) : family.get(Number(unwrapped(tag)));
  if (tag === undefined) throw new TypeError(`${String(name)} is not a class of ${family.name}`);
  output.add(encodeLeaf(family.tagField, tag));
  if (struct !== undefined) encodeStruct(struct, object, output);
  else if (object[UNDISSECTED_NAME] !== undefined) output.add(asBytes(object[UNDISSECTED_NAME]));
}

function unwrapped(value: unknown): unknown {
  return value instanceof Exact ? value.value : value;
}

function asObject(value: unknown): Members {
  const object = unwrapped(value);
  if (isObject(object)) return object;
  throw new TypeError(object === undefined ? "is missing" : "value is not an object");
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asArray(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError(value === undefined ? "is missing" : "needs an array");
}
