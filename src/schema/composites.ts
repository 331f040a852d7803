import type { Codec } from "./codec.js";
import type { Family } from "./family.js";
import { expectType } from "./is-type.js";
import { holdsNodes, Opcode } from "./opcode.js";
import type { StructType } from "./struct.js";
import {
  type Compression,
  type Infer,
  type Length,
  type Resolver,
  type Row,
  rest,
  type Selector,
  Type,
} from "./type.js";

/** Uninterpreted bytes. */
export function bytes(length: Length): Type<Uint8Array> {
  expectLength(length);
  if (typeof length === "number") return new Type({ opcode: Opcode.FixedBytes, kind: "bytes", width: length });
  return new Type({ opcode: Opcode.Bytes, kind: "bytes", width: 0, length });
}

/** The rest of the region, which is not declared; `reason` says so in a sentence. */
export function undeclared(reason: string): Type<Uint8Array> {
  const row = { opcode: Opcode.Bytes, kind: "bytes", width: 0, length: rest, undeclared: reason } as const;
  return new Type({ ...row, sensitive: "unknown" });
}

/** 8-bit text, `length` bytes: UTF-8, or Latin-1 where it is not valid UTF-8. Of fixed length: up to the first zero. */
export function text(length: Length): Type<string> {
  return encodedText(length, "utf8", "text");
}

/** UTF-16 text (little-endian), `length` bytes. Of fixed length: up to the first zero. */
export function utf16(length: Length): Type<string> {
  return encodedText(length, "utf16le", "utf16le");
}

function encodedText(length: Length, encoding: "utf8" | "utf16le", kind: string): Type<string> {
  expectLength(length);
  if (typeof length === "number") return new Type({ opcode: Opcode.FixedText, kind, width: length, encoding });
  return new Type({ opcode: Opcode.Text, kind, width: 0, length, encoding });
}

function expectLength(length: Length): void {
  if (typeof length === "number" && !(Number.isSafeInteger(length) && length >= 0)) {
    throw new Error(`a length has to be a whole number from 0 on, not ${length}`);
  }
  const { field = length }: { readonly field?: unknown } = Object(length);
  if (typeof length !== "number" && typeof field !== "string" && field !== rest) {
    const given = JSON.stringify(length);
    throw new Error(`a length is a number, the name of a field, { field: ... } or rest, not ${given}`);
  }
}

/** A text, a number or bytes that say themselves how long they are. */
export function coded<V extends string | number | bigint | Uint8Array>(kind: string, codec: Codec<V>): Type<V> {
  for (const member of ["measure", "read", "write"] as const) {
    if (typeof codec[member] !== "function") throw new Error(`the codec of ${kind} has no method ${member}()`);
  }
  return new Type({ opcode: Opcode.Codec, kind, width: 0, codec });
}

/** `length` elements of one type, or as many as fit (`rest`). */
export function array<V>(element: Type<V>, length: Length): Type<V[]> {
  expectType(element, "the element of an array");
  expectLength(length);
  return new Type({ opcode: Opcode.Array, kind: "array", width: 0, element: element.row, length });
}

/** Elements of these types, in this order. */
export function tuple(elements: readonly Type<unknown>[]): Type<unknown[]> {
  return new Type({ opcode: Opcode.Tuple, kind: "array", width: 0, elements: elements.map(({ row }) => row) });
}

/**
 * A type that is found only while decoding, from earlier fields and the settings of the run: the one way to leave the
 * static declarations. Where the resolver finds none, the rest of the region is one leaf, with the reason. Used for SDL
 * records, whose layout comes from files. Structs that only a resolver finds have to be in the dissector's `types`:
 * otherwise filters and `fields` do not know their names.
 */
export function resolved(resolver: Resolver): Type<unknown> {
  return new Type({ opcode: Opcode.Resolved, kind: "resolved", width: 0, resolver });
}

/**
 * A value of one of the classes of a family: its class's name, its tag, and the fields of its class; null if there is
 * no value.
 */
export type Polymorphic = { readonly class: string; readonly [field: string]: unknown } | null;

/** A value whose class its tag tells; `base` is what the class has to be derived from. */
export function polymorphic(family: Family, base?: StructType<unknown>): Type<Polymorphic> {
  return new Type({ opcode: Opcode.Polymorphic, kind: "struct", width: 0, family, ...(base && { base: base.struct }) });
}

/** The type that belongs to the value of the earlier field `selector`; `otherwise` for values that are not listed. */
export function choice<C extends Readonly<Record<number, Type<unknown, boolean>>>, D = never>(
  selector: Selector,
  choices: C,
  otherwise?: Type<D, boolean>,
): Type<Infer<C[keyof C]> | NoInfer<D>> {
  // Bit operations give signed numbers: what is under a mask is compared without a sign.
  const masked = typeof selector !== "string";
  const rows = new Map<number, Row>();
  for (const [key, type] of Object.entries(choices)) {
    expectType(type, `the choice ${key}`);
    const { row } = type;
    const value = Number(key);
    if (Number.isNaN(value)) throw new Error(`a choice is made by numbers, and ${key} is not a number`);
    rows.set(masked ? value >>> 0 : value, row);
  }
  for (const { conditions } of otherwise === undefined ? rows.values() : [...rows.values(), otherwise.row]) {
    if (conditions !== undefined) throw new Error("one of a choice cannot be absent: the choice has to be");
  }
  return new Type({
    opcode: Opcode.Choice,
    kind: "choice",
    width: 0,
    selector,
    choices: rows,
    ...(otherwise && { otherwise: otherwise.row }),
  });
}

/**
 * Like `within`, for bytes that usually are of this type, but need not be: where they are not, they stay bytes.
 *
 * @param leftOver what becomes of bytes behind the content, as a clause, where they are no sign that it is something
 * else
 */
export function usually<V>(length: Length, content: Type<V>, leftOver?: string): Type<V | Uint8Array, true> {
  return new Type({ ...within(length, content).row, tentative: true, ...(leftOver !== undefined && { leftOver }) });
}

/**
 * A type within `length` bytes; absent if the length is 0. What is left over, or goes wrong, stays within these bytes.
 * With `compression`, the bytes may be compressed: then the content is a byte source of its own, and has to be a struct,
 * an array, or what turns into one of them.
 */
export function within<V>(length: Length, content: Type<V>, compression?: Compression): Type<V, true> {
  expectType(content, "the content of a region");
  expectLength(length);
  if (compression !== undefined) expectInner(content.row);
  return new Type({
    opcode: Opcode.Region,
    kind: content.row.kind,
    width: 0,
    length,
    content: content.row,
    ...(compression && { compression }),
  });
}

/** Throws for content that has no nodes below its own: there is no place for nodes of another byte source. */
function expectInner({ opcode, kind, choices, otherwise }: Row): void {
  if (opcode === Opcode.Choice) {
    for (const row of choices?.values() ?? []) expectInner(row);
    if (otherwise !== undefined) expectInner(otherwise);
  } else if (!holdsNodes(opcode)) throw new Error(`a compressed region holds a struct or an array, not ${kind}`);
}
