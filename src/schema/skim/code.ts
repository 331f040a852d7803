import { Test } from "../language/condition.js";
import { Opcode } from "../language/opcode.js";
import type { SlotCondition } from "../table/struct-table.js";

/** JavaScript for what a declaration says of single numbers. */

/** Thrown where a declaration cannot be compiled: the decoder handles it. */
export class NotCompiled extends Error {}

/** The expression that reads the number which later fields test: see `readControl`. */
export function controlCode(opcode: Opcode, at: string): string {
  switch (opcode) {
    case Opcode.U64LE:
    case Opcode.I64LE:
    case Opcode.F32LE:
      return `view.getUint32(${at}, true)`;
    case Opcode.U64BE:
    case Opcode.I64BE:
      return `view.getUint32(${at} + 4)`;
    case Opcode.F32BE:
      return `view.getUint32(${at})`;
    default:
      return numberCode(opcode, at);
  }
}

/** The expression that reads a number: see `readNumber`. */
export function numberCode(opcode: Opcode, at: string): string {
  switch (opcode) {
    case Opcode.U8:
    case Opcode.Bool8:
      return `bytes[${at}]`;
    case Opcode.I8:
      return `view.getInt8(${at})`;
    case Opcode.U16LE:
      return `view.getUint16(${at}, true)`;
    case Opcode.I16LE:
      return `view.getInt16(${at}, true)`;
    case Opcode.U32LE:
    case Opcode.Bool32LE:
      return `view.getUint32(${at}, true)`;
    case Opcode.I32LE:
      return `view.getInt32(${at}, true)`;
    case Opcode.U64LE:
      return `Number(view.getBigUint64(${at}, true))`;
    case Opcode.I64LE:
      return `Number(view.getBigInt64(${at}, true))`;
    case Opcode.F64LE:
      return `view.getFloat64(${at}, true)`;
    case Opcode.F32LE:
      return `view.getFloat32(${at}, true)`;
    case Opcode.U16BE:
      return `view.getUint16(${at})`;
    case Opcode.I16BE:
      return `view.getInt16(${at})`;
    case Opcode.U32BE:
      return `view.getUint32(${at})`;
    case Opcode.I32BE:
      return `view.getInt32(${at})`;
    case Opcode.U64BE:
      return `Number(view.getBigUint64(${at}))`;
    case Opcode.I64BE:
      return `Number(view.getBigInt64(${at}))`;
    case Opcode.F32BE:
      return `view.getFloat32(${at})`;
    case Opcode.F64BE:
      return `view.getFloat64(${at})`;
    default:
      throw new NotCompiled("a number of an unknown kind");
  }
}

/** The expression that is true if a number satisfies a condition: see `holds`. */
export function conditionCode({ test, mask, operand }: SlotCondition, value: string): string {
  switch (test) {
    case Test.AnyBit:
      return `(${value} & ${literal(mask)}) !== 0`;
    case Test.MaskedEquals:
      return `(${value} & ${literal(mask)}) === ${literal(operand)}`;
    case Test.Equals:
      return `${value} === ${literal(operand)}`;
    case Test.NotEquals:
      return `${value} !== ${literal(operand)}`;
    case Test.AtLeast:
      return `${value} >= ${literal(operand)}`;
    default:
      return `${value} < ${literal(operand)}`;
  }
}

/** A number as it is written in code, whatever declared it. */
export function literal(number: number): string {
  if (typeof number !== "number" || Number.isNaN(number)) throw new NotCompiled("something that is not a number");
  return number < 0 || Object.is(number, -0) ? `(${number})` : String(number);
}
