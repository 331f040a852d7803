import { deflate } from "pako";
import { counted } from "../../common/counted.js";
import { inflateAfter } from "../decode/inflate.js";
import { viewOf } from "../language/byte-source.js";
import { Field, UNDISSECTED_NAME } from "../language/field.js";
import { claimedLength } from "../language/length.js";
import { Opcode } from "../language/opcode.js";
import type { Type } from "../language/type.js";
import { entryOf, opaque, resolvedAs, tableOf, UNDISSECTED_ENTRY } from "../table/compile.js";
import { holds } from "../table/holds.js";
import { type FieldEntry, NO_SLOT, REST, type StructTable } from "../table/struct-table.js";
import { readCodedControl, readControl } from "../tree/leaf.js";
import { asBytes, encodeLeaf } from "./encode-leaf.js";
import { Exact } from "./exact.js";
import { asArray, asObject, unwrapped } from "./given.js";
import { EncodeError, type EncodeOptions, type Members, Output } from "./output.js";

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
    encodeField(entryOf(new Field("value", type.descriptor)), value, output, []);
  } catch (error) {
    throw error instanceof EncodeError ? error : new EncodeError(reasonOf(error));
  }
  return output.bytes();
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Encodes the fields of a struct; returns the numbers that fields outside it use.
 *
 * @param slots the numbers of the struct around it that it uses
 */
function encodeStruct(table: StructTable, value: Members, output: Output, slots: number[] = []): number[] {
  const outer = output.members;
  output.members = value;
  let left = value[UNDISSECTED_NAME];
  for (const entry of table.entries) {
    const { name } = entry.field;
    if (!entry.conditions.every((condition) => holds(condition, slots[condition.slot] ?? 0))) continue;
    // Null counts as given: it stands for a null creatable.
    const stated = value[name];
    const given =
      stated === undefined && !output.options.isPartial ? computedLength(table, entry, value, output, slots) : stated;
    if (given === undefined && mayBeMissing(entry, slots)) continue;
    if (given === undefined && output.options.isPartial) break;
    try {
      encodeField(entry, given, output, slots);
    } catch (error) {
      if (error instanceof EncodeError) throw new EncodeError(`${name}.${error.message}`);
      throw new EncodeError(`${name}: ${reasonOf(error)}`);
    }
    // A declared field may have that name too.
    if (name === UNDISSECTED_NAME) left = undefined;
  }
  if (left instanceof Uint8Array) output.add(left);
  output.members = outer;
  return slots;
}

/** Computes an omitted count or length from the value that it counts. */
function computedLength(
  table: StructTable,
  length: FieldEntry,
  value: Members,
  { options }: Output,
  slots: readonly number[],
): number | undefined {
  for (const entry of table.entries) {
    const content = value[entry.field.name];
    const counted = content === undefined ? undefined : countedIn(entry, length, slots);
    if (counted === undefined) continue;
    if (counted.opcode === Opcode.Array) {
      const elements = unwrapped(content);
      return Array.isArray(elements) ? claimOf(counted, elements.length) : undefined;
    }
    const output = new Output(options, value);
    if (counted.field.length.claimedBy === length.field.name) {
      encodeField(counted, content, output, [...slots]);
      return claimOf(counted, output.bytes().length);
    }
    encodeContent(counted, unwrapped(content), output, [...slots]);
    return output.bytes().length;
  }
  return undefined;
}

/** The field whose size a count or length gives: this one, what is chosen for it, or the content of this region. */
function countedIn(entry: FieldEntry, length: FieldEntry, slots: readonly number[]): FieldEntry | undefined {
  const { slot, field } = length;
  if (entry.field.length.claimedBy === field.name || (slot >= 0 && entry.inflatedLengthSlot === slot)) return entry;
  const inner = entry.opcode === Opcode.Choice ? chosenBefore(entry, slot, slots) : contentOf(entry);
  return inner && countedIn(inner, length, slots);
}

function contentOf(entry: FieldEntry): FieldEntry | undefined {
  return entry.opcode === Opcode.Region ? entry.inner : undefined;
}

/** The alternative that is chosen by a field before the length; a length that chooses itself counts what it leaves. */
function chosenBefore(entry: FieldEntry, slot: number, slots: readonly number[]): FieldEntry | undefined {
  if (entry.selectorSlot === slot) return entry.otherwise;
  const selector = slots[entry.selectorSlot];
  return selector === undefined ? undefined : entry.chosen(selector);
}

/** Returns the number that claims a count or length. */
function claimOf({ field: { length } }: FieldEntry, counted: number): number {
  const number = (counted - length.plus) / length.times;
  if (Number.isInteger(number) && claimedLength(length, number) !== counted) {
    throw new EncodeError(`${length.claimedBy}: ${counted} does not fit into its bits`);
  }
  return number;
}

function mayBeMissing(entry: FieldEntry, slots: readonly number[]): boolean {
  if (entry.opcode === Opcode.Choice) {
    const chosen = entry.chosen(slots[entry.selectorSlot] ?? 0);
    return chosen === undefined || mayBeMissing(chosen, slots);
  }
  if (entry.opcode === Opcode.Resolved) return true;
  if (entry.opcode !== Opcode.Region && entry.opcode !== Opcode.Bytes && entry.opcode !== Opcode.Text) return false;
  return entry.lengthSlot === REST || claimedLength(entry.field.length, slots[entry.lengthSlot] ?? 0) === 0;
}

function encodeField(entry: FieldEntry, value: unknown, output: Output, slots: number[]): void {
  if (value instanceof Exact && value.value === undefined) {
    output.add(value.bytes);
    return;
  }
  switch (entry.opcode) {
    case Opcode.Struct: {
      const { table } = entry;
      if (table === undefined) return;
      const imported: number[] = [];
      for (const { from, to } of entry.imports) imported[to] = slots[from] ?? 0;
      const inner = encodeStruct(table, asObject(value), output, imported);
      for (const { from, to } of entry.exports) slots[to] = inner[from] ?? 0;
      return;
    }
    case Opcode.Array:
      encodeArray(entry, asArray(value), output, slots);
      return;
    case Opcode.Tuple:
      encodeTuple(entry, asArray(value), output, slots);
      return;
    case Opcode.Resolved: {
      const { members, options } = output;
      const type = entry.field.resolver?.((name) => unwrapped(members[name]), options.settings, options.nameOf) ?? "";
      encodeField(typeof type === "string" ? opaque(entry) : resolvedAs(entry, type), value, output, slots);
      return;
    }
    case Opcode.Polymorphic:
      encodePolymorphic(entry, value, output);
      return;
    case Opcode.Choice: {
      const chosen = entry.chosen(slots[entry.selectorSlot] ?? 0);
      if (chosen === undefined) output.add(asBytes(value));
      else encodeField(chosen, value, output, slots);
      return;
    }
    case Opcode.Region:
      if (entry.compressed && holds(entry.compressed, slots[entry.compressed.slot] ?? 0)) {
        encodeCompressed(entry, value, output, slots);
      } else encodeContent(entry, value, output, slots);
      return;
    default: {
      const bytes = encodeLeaf(entry.field, value);
      if (entry.slot >= 0) slots[entry.slot] = controlOf(entry, bytes);
      output.add(bytes);
    }
  }
}

/** Returns the number that later fields use, from the bytes of a leaf. */
function controlOf(entry: FieldEntry, bytes: Uint8Array): number {
  if (entry.opcode === Opcode.Codec) return readCodedControl(entry, bytes, 0, bytes.length);
  return readControl(entry.opcode, viewOf(bytes), 0);
}

function encodeArray(entry: FieldEntry, elements: readonly unknown[], output: Output, slots: number[]): void {
  const { inner, lengthSlot, slot } = entry;
  const { length } = entry.field;
  if (inner === undefined) return;
  if (lengthSlot === NO_SLOT && elements.length !== length.plus && !output.options.isPartial) {
    throw new RangeError(`needs ${counted(length.plus, "element")}, has ${elements.length}`);
  }
  for (const element of elements) encodeField(inner, element, output, slots);
  if (slot < 0 || elements.length === 0) return;
  const first = encodeLeaf(inner.field, elements[0]);
  if (first.length === inner.width) slots[slot] = readControl(inner.opcode, viewOf(first), 0);
}

function encodeTuple(entry: FieldEntry, values: readonly unknown[], output: Output, slots: number[]): void {
  const { elements } = entry;
  if (values.length !== elements.length && !output.options.isPartial) {
    throw new RangeError(`needs ${counted(elements.length, "element")}, has ${values.length}`);
  }
  for (const [index, value] of values.entries()) {
    // After the last element there can only be left-over bytes.
    encodeField(elements[index] ?? UNDISSECTED_ENTRY, value, output, slots);
  }
}

/** Encodes what a length counts: the content of a region, or a leaf. */
function encodeContent(entry: FieldEntry, value: unknown, output: Output, slots: number[]): void {
  if (entry.opcode === Opcode.Region && entry.inner !== undefined && !(value instanceof Uint8Array)) {
    if (entry.otherContent === undefined) encodeField(entry.inner, value, output, slots);
    else output.add(encodeEither(entry.inner, entry.otherContent, entry, value, output, slots));
  } else output.add(encodeLeaf(entry.field, value));
}

/** Encodes content in its usual form or, if the length that is claimed is not that of this one, in the other form. */
function encodeEither(
  usual: FieldEntry,
  other: FieldEntry,
  { field: { length } }: FieldEntry,
  value: unknown,
  { options, members }: Output,
  slots: number[],
): Uint8Array {
  const encoded = (form: FieldEntry) => {
    const content = new Output(options, members);
    encodeField(form, value, content, slots);
    return content.bytes();
  };
  const bytes = encoded(usual);
  const given = unwrapped(members[length.claimedBy]);
  const isUsual = typeof given !== "number" || claimedLength(length, given) === bytes.length;
  return options.isPartial || isUsual ? bytes : encoded(other);
}

function encodeCompressed(entry: FieldEntry, value: unknown, output: Output, slots: number[]): void {
  if (value instanceof Uint8Array) {
    output.add(value);
    return;
  }
  const { literal = 0 } = entry.field.compression ?? {};
  const content = new Output(output.options, output.members);
  encodeContent(entry, unwrapped(value), content, slots);
  const plain = content.bytes();
  if (value instanceof Exact) {
    // The compressed bytes are used only if they still inflate to the value.
    const { bytes } = inflateAfter(literal, value.bytes, plain.length);
    if (Buffer.compare(bytes, plain) === 0) {
      output.add(value.bytes);
      return;
    }
  }
  output.add(plain.subarray(0, literal));
  output.add(deflate(plain.subarray(literal)));
}

function encodePolymorphic(entry: FieldEntry, value: unknown, output: Output): void {
  const { family } = entry;
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
  if (struct !== undefined) encodeStruct(tableOf(struct), object, output);
  else if (object[UNDISSECTED_NAME] !== undefined) output.add(asBytes(object[UNDISSECTED_NAME]));
}
