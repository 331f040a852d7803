/** How the value of an earlier field is tested. */
export const enum Test {
  /** (value & mask) is not 0 */
  AnyBit,
  /** (value & mask) equals the operand */
  MaskedEquals,
  Equals,
  NotEquals,
}

/** A condition on the number in an earlier field of the same struct (or of its base classes). */
export interface Condition {
  /**
   * Name of the field, or a path `a.b` to a field of an earlier struct. If it is an array, its first element counts.
   */
  readonly field: string;
  readonly test: Test;
  readonly mask: number;
  readonly operand: number;
}

/** Holds if any of the bits of `mask` is set. @throws Error for bits other than the lowest 32 */
export function flag(field: string, mask: number): Condition {
  checkMask(mask, `a condition on ${field}`);
  return { field, test: Test.AnyBit, mask, operand: 0 };
}

/**
 * Holds if the bits under `mask` are exactly `operand`. The field may be a 32-bit float, whose highest bit is its sign.
 *
 * @throws Error for bits other than the lowest 32
 */
export function masked(field: string, mask: number, operand: number): Condition {
  checkMask(mask, `a condition on ${field}`);
  // Bit operations yield signed numbers.
  return { field, test: Test.MaskedEquals, mask, operand: operand | 0 };
}

/** Holds if the number is `operand`. */
export function equals(field: string, operand: number): Condition {
  return { field, test: Test.Equals, mask: -1, operand };
}

/** Holds if the number is not `operand`. */
export function notEquals(field: string, operand: number): Condition {
  return { field, test: Test.NotEquals, mask: -1, operand };
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
  if (Number.isInteger(mask) && mask !== 0 && mask >= -(2 ** 31) && mask < 2 ** 32) return;
  throw new Error(`${who} uses the bits of ${mask}: only the lowest 32 can be used`);
}
