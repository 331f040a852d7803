/** How the value of an earlier field is tested. */
export const enum Test {
  /** (value & mask) is not 0 */
  AnyBit,
  /** (value & mask) equals the operand */
  MaskedEquals,
  Equals,
  NotEquals,
  AtLeast,
  Below,
}

/**
 * A condition on the number in an earlier field of the same struct (or of its base classes); for a field of a group,
 * also of the struct that the group is in.
 */
export interface Condition {
  /**
   * Name of the field, or a path `a.b` to a field of an earlier struct. If it is an array, its first element counts;
   * if it is absent, it counts as 0.
   */
  readonly field: string;
  readonly test: Test;
  readonly mask: number;
  readonly operand: number;
}

/** Holds if any of the bits of `mask` is set. @throws Error for bits other than the lowest 32 */
export function flag(field: string, mask: number): Condition {
  checkMask(mask, `what depends on ${field}`);
  return { field, test: Test.AnyBit, mask, operand: 0 };
}

/**
 * Holds if the bits under `mask` are exactly `operand`. The field may be a 32-bit float, whose highest bit is its sign.
 *
 * @throws Error for bits other than the lowest 32, or not under the mask
 */
export function masked(field: string, mask: number, operand: number): Condition {
  checkMask(mask, `what depends on ${field}`);
  if (!is32Bits(operand) || (operand & ~mask) !== 0) {
    throw new Error(`${field} & 0x${(mask >>> 0).toString(16)} is never ${operand}`);
  }
  // Bit operations yield signed numbers.
  return { field, test: Test.MaskedEquals, mask, operand: operand | 0 };
}

/**
 * Holds if the number is `operand`.
 *
 * @throws Error for an operand that is not a whole number
 */
export function equals(field: string, operand: number): Condition {
  return comparison(field, Test.Equals, operand);
}

/**
 * Holds if the number is not `operand`.
 *
 * @throws Error for an operand that is not a whole number
 */
export function notEquals(field: string, operand: number): Condition {
  return comparison(field, Test.NotEquals, operand);
}

/**
 * Holds if the number is `operand` or more, as in fields that came with a version of the protocol. It may be signed.
 *
 * @throws Error for an operand that is not a whole number
 */
export function atLeast(field: string, operand: number): Condition {
  return comparison(field, Test.AtLeast, operand);
}

/**
 * Holds if the number is less than `operand`: the opposite of `atLeast`.
 *
 * @throws Error for an operand that is not a whole number
 */
export function below(field: string, operand: number): Condition {
  return comparison(field, Test.Below, operand);
}

function comparison(field: string, test: Test, operand: number): Condition {
  if (Number.isSafeInteger(operand)) return { field, test, mask: -1, operand };
  throw new Error(`${field} is compared with ${operand}, which is not a whole number of up to 53 bits`);
}

/** Holds if a boolean is true, which any value but 0 is. */
export function isTrue(field: string): Condition {
  return notEquals(field, 0);
}

/** Holds if a boolean is false. */
export function isFalse(field: string): Condition {
  return equals(field, 0);
}

/**
 * Throws an Error unless the mask is within 32 bits. Conditions work on 32-bit numbers: the lowest bits of longer
 * fields.
 *
 * @param who names what uses the bits, as the subject of a sentence
 */
export function checkMask(mask: number, who: string): void {
  if (mask === 0) throw new Error(`${who} uses none of the bits: its mask is 0`);
  if (is32Bits(mask)) return;
  throw new Error(`${who} uses the bits of ${mask}: only the lowest 32 can be used`);
}

/** True for what bit operations leave as it is, but for the sign. */
function is32Bits(number: number): boolean {
  return Number.isInteger(number) && number >= -(2 ** 31) && number < 2 ** 32;
}
