/**
 * What the decoder does for one entry of a struct's table. The order matters: numbers come before booleans, and both
 * before everything else (`isNumber`, `isWhole`).
 */
export const enum Opcode {
  U8,
  I8,
  U16LE,
  I16LE,
  U32LE,
  I32LE,
  U64LE,
  I64LE,
  F32LE,
  F64LE,
  U16BE,
  I16BE,
  U32BE,
  I32BE,
  U64BE,
  I64BE,
  F32BE,
  F64BE,
  /** A byte (or 4 bytes) that is false when zero and true otherwise. */
  Bool8,
  Bool32LE,
  /** 16 bytes; the first three groups are little-endian (Microsoft's form). */
  Uuid,
  FixedBytes,
  /** Text in a field of fixed width, up to the first zero. */
  FixedText,
  /** Bytes whose number an earlier field gives, or the rest of the region. */
  Bytes,
  Text,
  /** A leaf whose own bytes say how long it is: see `Codec`. */
  Codec,
  Struct,
  Array,
  /** Elements of different types, one after the other, shown as an array. */
  Tuple,
  /** A struct whose class is chosen by a tag at its beginning. */
  Polymorphic,
  /** One of several types, chosen by the value of an earlier field. */
  Choice,
  /** A type that is determined only while decoding: see `resolved`. */
  Resolved,
  /** A type within a number of bytes that an earlier field gives; the bytes may be compressed. */
  Region,
}

/** True for whole numbers and booleans: what conditions, lengths and selectors can use. */
export function isWhole(opcode: Opcode): boolean {
  return opcode <= Opcode.Bool32LE && !isFloat(opcode);
}

/** True for numbers of any kind, but not booleans. */
export function isNumber(opcode: Opcode): boolean {
  return opcode < Opcode.Bool8;
}

/** True for booleans of any width. */
export function isBoolean(opcode: Opcode): boolean {
  return opcode === Opcode.Bool8 || opcode === Opcode.Bool32LE;
}

/** True for whole numbers of at most 32 bits, but not booleans. */
export function isSmallWhole(opcode: Opcode): boolean {
  return isNumber(opcode) && !isFloat(opcode) && !has64Bits(opcode);
}

/** What says how large a number can be. */
interface Sized {
  readonly opcode: Opcode;
  readonly width: number;
}

/** The least and the greatest number that a field of this type can have; a codec may read any number. */
export function rangeOf({ opcode, width }: Sized): { readonly least: number; readonly greatest: number } {
  // Any other number is true, too, but that is no reason to ask for it.
  if (isBoolean(opcode)) return { least: 0, greatest: 1 };
  if (!isWhole(opcode)) return { least: Number.NEGATIVE_INFINITY, greatest: Number.POSITIVE_INFINITY };
  const count = 2 ** (8 * width);
  return isSigned(opcode) ? { least: -count / 2, greatest: count / 2 - 1 } : { least: 0, greatest: count - 1 };
}

/** True if a field of this type can have a whole number as its value; also if that depends on a codec. */
export function fits(number: number, type: Sized): boolean {
  const { least, greatest } = rangeOf(type);
  return number >= least && number <= greatest;
}

/** The bits that can be set in a number of this type, of the lowest 32; the sign of a negative one sets all above it. */
export function lowBits(type: Sized): number {
  const { least, greatest } = rangeOf(type);
  return least < 0 || greatest >= 2 ** 32 ? -1 : greatest;
}

function isSigned(opcode: Opcode): boolean {
  switch (opcode) {
    case Opcode.I8:
    case Opcode.I16LE:
    case Opcode.I32LE:
    case Opcode.I64LE:
    case Opcode.I16BE:
    case Opcode.I32BE:
    case Opcode.I64BE:
      return true;
    default:
      return false;
  }
}

/** True for floating-point numbers. */
export function isFloat(opcode: Opcode): boolean {
  return opcode === Opcode.F32LE || opcode === Opcode.F64LE || opcode === Opcode.F32BE || opcode === Opcode.F64BE;
}

/** True for 64-bit integers, which a JavaScript number cannot hold. */
export function has64Bits(opcode: Opcode): boolean {
  return opcode === Opcode.U64LE || opcode === Opcode.I64LE || opcode === Opcode.U64BE || opcode === Opcode.I64BE;
}

/** True for types that have nodes below their own. */
export function holdsNodes(opcode: Opcode): boolean {
  return opcode === Opcode.Struct || opcode === Opcode.Polymorphic || isArray(opcode);
}

/** True for what is shown as an array, whose elements have no names. */
export function isArray(opcode: Opcode): boolean {
  return opcode === Opcode.Array || opcode === Opcode.Tuple;
}
