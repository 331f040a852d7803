import { deflate } from "pako";
import { Exact } from "./exact.js";
import { Field, holds, REST } from "./field.js";
import { inflateBehind } from "./inflate.js";
import { readControl } from "./leaf.js";
import { viewOf } from "./nodes.js";
import { Opcode } from "./opcode.js";
import type { Struct } from "./struct.js";
import type { Type } from "./type.js";

/** A value that cannot be encoded: the message says which field, and why. */
export class EncodeError extends Error {}

/**
 * The bytes of a value: the inverse of decoding. Counts and lengths may be left out, they are worked out from what they
 * count.
 *
 * @param partial the value may end early, as one does that was decoded from malformed or cut bytes
 * @param settings what types that depend on it are told, as in decoding
 * @throws EncodeError if a field is missing or has a value that its type cannot hold
 */
export function encode<V>(type: Type<V, boolean>, value: NoInfer<V>, partial = false, settings?: unknown): Uint8Array {
  const output = new Output(partial, settings);
  encodeField(new Field("value", type.row, undefined), value, output, []);
  return output.bytes();
}

/** Bytes under construction. */
class Output {
  readonly #parts: Uint8Array[] = [];

  constructor(
    readonly partial: boolean,
    readonly settings: unknown,
  ) {}

  add(bytes: Uint8Array): void {
    this.#parts.push(bytes);
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

/** Encodes the fields of a struct; gives the numbers that fields outside look at. */
function encodeStruct(struct: Struct, value: Readonly<Record<string, unknown>>, output: Output): number[] {
  const slots: number[] = [];
  for (const field of struct.fields) {
    if (!field.conditions.every((condition) => holds(condition, slots[condition.slot] ?? 0))) continue;
    // A null value is given: it stands for a null creatable.
    const stated = value[field.name];
    const given = stated === undefined && !output.partial ? workedOut(struct, field, value, output, slots) : stated;
    if (given === undefined && mayBeMissing(field, slots)) continue;
    if (given === undefined && output.partial) break;
    try {
      encodeField(settle(field, value, output.settings), given, output, slots);
    } catch (error) {
      if (error instanceof EncodeError) throw new EncodeError(`${field.name}.${error.message}`);
      throw new EncodeError(`${field.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const left = value["undissected"];
  if (left instanceof Uint8Array) output.add(left);
  return slots;
}

/** The field itself, or what its resolver makes of it. */
function settle(field: Field, value: Readonly<Record<string, unknown>>, settings: unknown): Field {
  const type = field.resolver?.((name) => unwrapped(value[name]), settings);
  if (type === undefined) return field;
  return typeof type === "string" ? field.opaque : field.resolvedAs(type);
}

/** A count or length that was left out, from the value of what it counts. */
function workedOut(
  struct: Struct,
  field: Field,
  value: Readonly<Record<string, unknown>>,
  { settings }: Output,
  slots: number[],
): number | undefined {
  const counted = struct.fields.find(
    (other) => other.length.claimedBy === field.name && value[other.name] !== undefined,
  );
  if (counted === undefined) return undefined;
  const content = value[counted.name];
  const { times, plus } = counted.length;
  if (counted.opcode === Opcode.Array) return Array.isArray(content) ? (content.length - plus) / times : undefined;
  const output = new Output(false, settings);
  encodeContent(counted, content, output, slots);
  return (output.bytes().length - plus) / times;
}

function mayBeMissing(field: Field, slots: readonly number[]): boolean {
  const { slot, mask, times, plus } = field.length;
  if (field.opcode === Opcode.Choice) {
    const chosen = field.chosen(slots[field.selectorSlot] ?? 0);
    return chosen === undefined || mayBeMissing(chosen, slots);
  }
  if (field.opcode === Opcode.Resolved) return true;
  if (field.opcode !== Opcode.Region && field.opcode !== Opcode.Bytes) return false;
  const claimed = slots[slot] ?? 0;
  return slot === REST || (mask === -1 ? claimed : claimed & mask) * times + plus === 0;
}

function encodeField(field: Field, value: unknown, output: Output, slots: number[]): void {
  switch (field.opcode) {
    case Opcode.Struct: {
      if (field.struct === undefined) return;
      const inner = encodeStruct(field.struct, asObject(value, "value"), output);
      if (field.slot >= 0) slots[field.slot] = inner[field.capture] ?? 0;
      return;
    }
    case Opcode.Array:
      if (!Array.isArray(value)) throw new TypeError("needs an array");
      for (const element of value) if (field.inner !== undefined) encodeField(field.inner, element, output, slots);
      if (field.slot >= 0) slots[field.slot] = typeof value[0] === "number" ? value[0] : 0;
      return;
    case Opcode.Tuple:
      if (!Array.isArray(value)) throw new TypeError("needs an array");
      field.elements.forEach((element, index) => {
        if (index < value.length || !output.partial) encodeField(element, value[index], output, slots);
      });
      return;
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
      if (field.slot >= 0) slots[field.slot] = readControl(field.opcode, viewOf(bytes), 0);
      output.add(bytes);
    }
  }
}

/** What a length counts: the content of a region, or a leaf. */
function encodeContent(field: Field, value: unknown, output: Output, slots: number[]): void {
  if (field.opcode === Opcode.Region && field.inner !== undefined && !(value instanceof Uint8Array)) {
    encodeField(field.inner, value, output, slots);
  } else output.add(encodeLeaf(field, value));
}

function encodeCompressed(field: Field, value: unknown, output: Output, slots: number[]): void {
  if (value instanceof Uint8Array) {
    output.add(value);
    return;
  }
  const content = new Output(output.partial, output.settings);
  encodeContent(field, value instanceof Exact ? value.value : value, content, slots);
  const plain = content.bytes();
  if (value instanceof Exact) {
    // The compressed bytes are used only if they still say the same.
    const { bytes } = inflateBehind(field.literal, value.bytes, plain.length);
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
    output.add(encodeLeaf(family.tagField, family.nullTag));
    return;
  }
  const object = asObject(value, "value");
  const name = object["class"];
  const tag = object[family.tagName] ?? (typeof name === "string" ? family.named(name)?.tag : undefined);
  const struct = typeof name === "string" ? family.named(name) : family.get(Number(tag));
  if (tag === undefined) throw new EncodeError(`${String(name)} is not a class of ${family.name}`);
  output.add(encodeLeaf(family.tagField, tag));
  if (struct !== undefined) encodeStruct(struct, object, output);
  else if (object["undissected"] !== undefined) output.add(asBytes(object["undissected"]));
}

/** The bytes of a leaf. */
export function encodeLeaf(field: Field, value: unknown): Uint8Array {
  if (value instanceof Exact) return value.bytes;
  switch (field.opcode) {
    case Opcode.FixedBytes: {
      const bytes = asBytes(value);
      if (bytes.length !== field.width) throw new RangeError(`needs ${field.width} bytes, has ${bytes.length}`);
      return bytes;
    }
    case Opcode.FixedText: {
      const bytes = Buffer.alloc(field.width);
      const text = Buffer.from(asString(value), field.encoding);
      if (text.length > field.width) throw new RangeError(`holds at most ${field.width} bytes`);
      text.copy(bytes);
      return bytes;
    }
    case Opcode.Text:
      return Buffer.from(asString(value), field.encoding);
    case Opcode.Codec:
      return field.codec?.write(value) ?? new Uint8Array(0);
    case Opcode.Uuid:
      return encodeUuid(asString(value));
    case Opcode.Bool8:
    case Opcode.Bool32LE:
      return encodeNumber(field, Number(value));
    case Opcode.U64LE:
    case Opcode.I64LE:
    case Opcode.U64BE:
    case Opcode.I64BE:
      return encodeBigint(field.opcode, value);
    case Opcode.Bytes:
    case Opcode.Region:
      return asBytes(value);
    default:
      if (typeof value !== "number") throw new TypeError("needs a number");
      return encodeNumber(field, value);
  }
}

function encodeNumber(field: Field, value: number): Uint8Array {
  const bytes = Buffer.alloc(field.width);
  switch (field.opcode) {
    case Opcode.F32LE:
      bytes.writeFloatLE(value);
      break;
    case Opcode.F64LE:
      bytes.writeDoubleLE(value);
      break;
    case Opcode.F32BE:
      bytes.writeFloatBE(value);
      break;
    case Opcode.F64BE:
      bytes.writeDoubleBE(value);
      break;
    case Opcode.I8:
    case Opcode.I16LE:
    case Opcode.I32LE:
      bytes.writeIntLE(value, 0, field.width);
      break;
    case Opcode.I16BE:
    case Opcode.I32BE:
      bytes.writeIntBE(value, 0, field.width);
      break;
    case Opcode.U16BE:
    case Opcode.U32BE:
      bytes.writeUIntBE(value, 0, field.width);
      break;
    default:
      bytes.writeUIntLE(value, 0, field.width);
  }
  return bytes;
}

function encodeBigint(opcode: Opcode, value: unknown): Uint8Array {
  if (typeof value !== "bigint" && typeof value !== "number") throw new TypeError("needs a bigint");
  const bytes = Buffer.alloc(8);
  const bits = BigInt.asUintN(64, BigInt(value));
  if (opcode === Opcode.U64LE || opcode === Opcode.I64LE) bytes.writeBigUInt64LE(bits);
  else bytes.writeBigUInt64BE(bits);
  return bytes;
}

const UUID = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/i;

function encodeUuid(text: string): Uint8Array {
  const [, first = "", second = "", third = "", fourth = "", fifth = ""] = UUID.exec(text) ?? [];
  if (first === "") throw new RangeError(`${text} is not a UUID`);
  const turned = [first, second, third].map((group) => Buffer.from(group, "hex").reverse());
  return Buffer.concat([...turned, Buffer.from(fourth + fifth, "hex")]);
}

function unwrapped(value: unknown): unknown {
  return value instanceof Exact ? value.value : value;
}

function asObject(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (value instanceof Exact) return asObject(value.value, name);
  if (!isObject(value)) throw new TypeError(value === undefined ? "is missing" : `${name} is not an object`);
  return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new TypeError(value === undefined ? "is missing" : "needs bytes");
}

function asString(value: unknown): string {
  if (typeof value === "string") return value;
  throw new TypeError(value === undefined ? "is missing" : "needs a string");
}
