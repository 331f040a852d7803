/** The wire types of big-endian protocols. */

import { Opcode } from "../language/opcode.js";
import { bigint, number } from "./numbers.js";

/** Unsigned, two bytes. */
export const u16 = number(Opcode.U16BE, "u16be", 2);
/** Signed, two bytes. */
export const i16 = number(Opcode.I16BE, "i16be", 2);
/** Unsigned, four bytes. */
export const u32 = number(Opcode.U32BE, "u32be", 4);
/** Signed, four bytes. */
export const i32 = number(Opcode.I32BE, "i32be", 4);
/** Unsigned, eight bytes; a bigint. */
export const u64 = bigint(Opcode.U64BE, "u64be");
/** Signed, eight bytes; a bigint. */
export const i64 = bigint(Opcode.I64BE, "i64be");
/** IEEE 754 single precision, four bytes. */
export const f32 = number(Opcode.F32BE, "f32be", 4);
/** IEEE 754 double precision, eight bytes. */
export const f64 = number(Opcode.F64BE, "f64be", 8);
