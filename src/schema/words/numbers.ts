import { expectObject } from "../../common/expect-object.js";
import { expectType } from "../language/is-type.js";
import { byNumber, type Meaning, type Names } from "../language/meaning.js";
import { fits, isWhole, Opcode } from "../language/opcode.js";
import { Type } from "../language/type.js";

const MEANT = "what is given names or a meaning";

/** A number of fixed width. */
export function number(opcode: Opcode, kind: string, width: number): Type<number> {
  return new Type({ opcode, kind, width });
}

/** A 64-bit integer: too large for a JavaScript number. */
export function bigint(opcode: Opcode, kind: string): Type<bigint> {
  return new Type({ opcode, kind, width: 8 });
}

/** Unsigned, one byte. */
export const u8 = number(Opcode.U8, "u8", 1);
/** Signed, one byte. */
export const i8 = number(Opcode.I8, "i8", 1);

/**
 * One byte: 0 is false, any other value is true (writers use 1). The plain value of a true other than 1 is its number.
 */
export const bool: Type<boolean | number> = new Type({ opcode: Opcode.Bool8, kind: "bool", width: 1 });

/** 16 bytes; the first three groups of the text form are little-endian. */
export const uuid: Type<string> = new Type({ opcode: Opcode.Uuid, kind: "uuid", width: 16 });

/**
 * A number each of whose values has a name.
 *
 * @throws Error if a name stands for anything but a whole number that the type can hold
 */
export function enumeration(type: Type<number>, names: Names): Type<number> {
  const enumerated = withMeaning(type, { form: "enumeration", names: byNumber(names) });
  expectWhole(type);
  for (const [name, value] of Object.entries(names)) {
    if (!fits(value, type.descriptor))
      throw new Error(`${name} names ${value}, which ${type.descriptor.kind} cannot hold`);
  }
  return enumerated;
}

/** Names of bits: `{ kName: 1 << 0, ... }`; from bit 32 on `1n << 40n`, since `1 << 40` wraps around. */
export type BitNames = Readonly<Record<string, number | bigint>>;

/**
 * A number each of whose bits has a name.
 *
 * @throws Error if a name stands for anything but 0 or one bit of the number
 */
export function flags<V extends number | bigint>(type: Type<V>, names: BitNames): Type<V> {
  expectType(type, MEANT);
  expectWhole(type);
  expectObject(names, "names", "{ Name: 1 }");
  const { kind, width } = type.descriptor;
  const masks = Object.entries(names).map(([name, mask]): [string, number] => {
    // Bit masks are unsigned, but a JavaScript shift makes bit 31 negative.
    const unsigned = typeof mask === "number" && mask < 0 ? mask >>> 0 : Number(mask);
    if (!isBit(unsigned, width)) {
      throw new Error(`${name} is ${mask}, which is not one of the ${8 * width} bits of ${kind}`);
    }
    return [name, unsigned];
  });
  return withMeaning(type, { form: "flags", names: byNumber(Object.fromEntries(masks)) });
}

/** Throws for a type whose values cannot be whole numbers; of a codec, that need not be known. */
function expectWhole({ descriptor: { opcode, kind } }: Type<unknown>): void {
  if (!isWhole(opcode) && opcode !== Opcode.Codec)
    throw new Error(`what is given names is of type ${kind}, which is not a whole number`);
}

/** True for 0 and for one bit of a number of `width` bytes, where 0 means that the width is not fixed. */
function isBit(mask: number, width: number): boolean {
  const bit = Math.log2(mask);
  return mask === 0 || (Number.isInteger(bit) && bit >= 0 && (width === 0 || bit < 8 * width));
}

/** A number that is the packed form of a text, such as an address or a time. */
export function packed(type: Type<number>, describe: (value: number) => string): Type<number> {
  return withMeaning(type, { form: "text", describe });
}

/**
 * A number, a UUID or a struct of numbers that refers to something whose name the traffic may show: a "player", a
 * "room". If it may be one of several kinds of things, the first kind for which a name is known counts.
 */
export function reference<V>(type: Type<V>, ...to: readonly string[]): Type<V> {
  return withMeaning(type, { form: "reference", to });
}

/** A number that stays a number, with a remark on what it stands for. */
export function remarked(type: Type<number>, describe: (value: number) => string | undefined): Type<number> {
  return withMeaning(type, { form: "remark", describe });
}

function withMeaning<V>(type: Type<V>, meaning: Meaning): Type<V> {
  expectType(type, MEANT);
  if (type.descriptor.meaning !== undefined)
    throw new Error(`${type.descriptor.kind} already has a meaning, and can have only one`);
  return new Type({ ...type.descriptor, meaning });
}
