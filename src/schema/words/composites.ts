import { expectObject } from "../../common/expect-object.js";
import type { Codec } from "../language/codec.js";
import type { Family } from "../language/family.js";
import { expectType } from "../language/is-type.js";
import { expectLength, type Length, rest } from "../language/length.js";
import { holdsNodes, Opcode } from "../language/opcode.js";
import type { StructType } from "../language/struct.js";
import {
  type Compression,
  type Infer,
  type Resolver,
  type Selector,
  Type,
  type TypeDescriptor,
} from "../language/type.js";

/** Uninterpreted bytes. */
export function bytes(length: Length): Type<Uint8Array> {
  expectLength(length);
  if (typeof length === "number") return new Type({ opcode: Opcode.FixedBytes, kind: "bytes", width: length });
  return new Type({ opcode: Opcode.Bytes, kind: "bytes", width: 0, length });
}

/** The rest of the region, which is not declared; `reason` says why, as a sentence. */
export function undeclared(reason: string): Type<Uint8Array> {
  const descriptor = { opcode: Opcode.Bytes, kind: "bytes", width: 0, length: rest, undeclared: reason } as const;
  return new Type({ ...descriptor, sensitive: "unknown" });
}

/**
 * 8-bit text of `length` bytes: UTF-8, or Latin-1 if not valid UTF-8. With a fixed length, ends at the first zero;
 * otherwise, one zero at its end is not shown.
 */
export function text(length: Length): Type<string> {
  return encodedText(length, "utf8", "text");
}

/** UTF-16 text (little-endian) of `length` bytes. Zeros as in `text`. */
export function utf16(length: Length): Type<string> {
  return encodedText(length, "utf16le", "utf16le");
}

function encodedText(length: Length, encoding: "utf8" | "utf16le", kind: string): Type<string> {
  expectLength(length);
  if (typeof length === "number") return new Type({ opcode: Opcode.FixedText, kind, width: length, encoding });
  return new Type({ opcode: Opcode.Text, kind, width: 0, length, encoding });
}

/** A text, a number or bytes in an encoding that says how long it is. */
export function coded<V extends string | number | bigint | Uint8Array>(kind: string, codec: Codec<V>): Type<V> {
  if (typeof kind !== "string") throw new Error("a codec is given a name first: coded(kind, codec)");
  for (const member of ["measure", "read", "write"] as const) {
    if (typeof codec[member] !== "function") throw new Error(`the codec of ${kind} has no method ${member}()`);
  }
  return new Type({ opcode: Opcode.Codec, kind, width: 0, codec });
}

/** `length` elements of one type, or as many as fit (`rest`). */
export function array<V>(element: Type<V>, length: Length): Type<V[]> {
  expectType(element, "the element of an array");
  expectLength(length);
  return new Type({ opcode: Opcode.Array, kind: "array", width: 0, element: element.descriptor, length });
}

/** Elements of these types, in this order. */
export function tuple(elements: readonly Type<unknown>[]): Type<unknown[]> {
  if (!Array.isArray(elements)) throw new Error("a tuple is given an array of types");
  for (const [index, element] of elements.entries()) expectType(element, `the element ${index} of a tuple`);
  return new Type({
    opcode: Opcode.Tuple,
    kind: "array",
    width: 0,
    elements: elements.map(({ descriptor }) => descriptor),
  });
}

/** What a resolver may find, as far as it is declared. */
export interface Findable {
  readonly candidates?: readonly StructType<unknown>[];
  /** Structs that may be somewhere in what it finds. */
  readonly parts?: readonly StructType<unknown>[];
  /** The names of members in JSON that are not their own (see `Type.inJson`), with their own names. */
  readonly shownNames?: Readonly<Record<string, string>>;
}

/**
 * A type that is determined only while decoding, from earlier fields and the settings of the run: the one escape from
 * static declarations. If the resolver finds no type, the rest of the region becomes one leaf, with the reason. Used
 * for SDL records, whose layout comes from files. Structs that only a resolver finds must be listed in the dissector's
 * `types`; otherwise filters and `fields` do not know their names.
 *
 * From `candidates`, `parts` and `shownNames`, `check` learns which of the values differ each time or only identify
 * something, and which lines of JSON say the same.
 */
export function resolved(
  resolver: Resolver,
  { candidates = [], parts = [], shownNames = {} }: Findable = {},
): Type<unknown> {
  return new Type({
    opcode: Opcode.Resolved,
    kind: "resolved",
    width: 0,
    resolver,
    candidates: candidates.map(({ descriptor }) => descriptor),
    parts: parts.map(({ descriptor }) => descriptor),
    shownNames: new Map(Object.entries(shownNames)),
  });
}

/**
 * A value of one of the classes of a family: the name of its class, its tag, and the fields of its class; null if there
 * is no value.
 */
export type Polymorphic = { readonly class: string; readonly [field: string]: unknown } | null;

/** A value whose tag says which class it has; the class must be derived from `base`, if given. */
export function polymorphic(family: Family, base?: StructType<unknown>): Type<Polymorphic> {
  return new Type({ opcode: Opcode.Polymorphic, kind: "struct", width: 0, family, ...(base && { base: base.struct }) });
}

/** One of several types, chosen by the value of the earlier field `selector`; `otherwise` for values not listed. */
export function choice<C extends Readonly<Record<number, Type<unknown, boolean>>>, D = never>(
  selector: Selector,
  choices: C,
  otherwise?: Type<D, boolean>,
): Type<Infer<C[keyof C]> | NoInfer<D>> {
  // Bit operations yield signed numbers; masked values are compared as unsigned ones.
  const masked = typeof selector !== "string";
  const descriptors = new Map<number, TypeDescriptor>();
  expectObject(choices, "choices", "{ 1: u8 }");
  for (const [key, type] of Object.entries(choices)) {
    expectType(type, `the choice ${key}`);
    const { descriptor } = type;
    const value = Number(key);
    if (Number.isNaN(value)) throw new Error(`the keys of a choice must be numbers: ${key} is not a number`);
    descriptors.set(masked && value < 0 ? value + 2 ** 32 : value, descriptor);
  }
  for (const { conditions } of otherwise === undefined
    ? descriptors.values()
    : [...descriptors.values(), otherwise.descriptor]) {
    if (conditions !== undefined)
      throw new Error("an alternative of a choice cannot have conditions: put them on the choice");
  }
  return new Type({
    opcode: Opcode.Choice,
    kind: "choice",
    width: 0,
    selector,
    choices: descriptors,
    ...(otherwise && { otherwise: otherwise.descriptor }),
  });
}

/**
 * Like `within`, for bytes that are usually, but not always, of this type: where they are not, they stay bytes.
 *
 * @param leftOver if bytes after the content are no sign of another type: what becomes of them, as a clause
 */
export function usually<V>(length: Length, content: Type<V>, leftOver?: string): Type<V | Uint8Array, true> {
  return new Type({
    ...within(length, content).descriptor,
    tentative: true,
    ...(leftOver !== undefined && { leftOver }),
  });
}

/**
 * A type within `length` bytes; absent if the length is 0. Bytes left over, and errors, stay within these bytes. With
 * `compression`, the bytes may be compressed: the content is then a byte source of its own, and must be a struct, an
 * array, or a type that resolves to one of them.
 */
export function within<V>(length: Length, content: Type<V>, compression?: Compression): Type<V, true> {
  expectType(content, "the content of a region");
  expectLength(length);
  if (compression !== undefined) expectInner(content.descriptor);
  return new Type({
    opcode: Opcode.Region,
    kind: content.descriptor.kind,
    width: 0,
    length,
    content: content.descriptor,
    ...(compression && { compression }),
  });
}

/**
 * Like `within`, for bytes that some writers make differently: only where they make no sense as `content`, but do as
 * `other`, they are that.
 *
 * @param note what is then remarked on
 */
export function withinEither<V, W>(length: Length, content: Type<V>, other: Type<W>, note: string): Type<V | W, true> {
  expectType(other, "the other content of a region");
  return new Type({ ...within(length, content).descriptor, otherForm: { content: other.descriptor, note } });
}

/** Throws for content that cannot have nodes below its own, where the nodes of another byte source would go. */
function expectInner({ opcode, kind, choices, otherwise }: TypeDescriptor): void {
  if (opcode === Opcode.Choice) {
    for (const descriptor of choices?.values() ?? []) expectInner(descriptor);
    if (otherwise !== undefined) expectInner(otherwise);
  } else if (!holdsNodes(opcode)) throw new Error(`a compressed region must hold a struct or an array, not ${kind}`);
}
