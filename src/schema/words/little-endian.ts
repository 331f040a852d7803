/** The wire types of little-endian protocols. */

import { Opcode } from "../language/opcode.js";
import { Type } from "../language/type.js";
import { bigint, number } from "./numbers.js";

/** Unsigned, two bytes. */
export const u16 = number(Opcode.U16LE, "u16le", 2);
/** Signed, two bytes. */
export const i16 = number(Opcode.I16LE, "i16le", 2);
/** Unsigned, four bytes. */
export const u32 = number(Opcode.U32LE, "u32le", 4);
/** Signed, four bytes. */
export const i32 = number(Opcode.I32LE, "i32le", 4);
/** Unsigned, eight bytes; a bigint. */
export const u64 = bigint(Opcode.U64LE, "u64le");
/** Signed, eight bytes; a bigint. */
export const i64 = bigint(Opcode.I64LE, "i64le");
/** IEEE 754 single precision, four bytes. */
export const f32 = number(Opcode.F32LE, "f32le", 4);
/** IEEE 754 double precision, eight bytes. */
export const f64 = number(Opcode.F64LE, "f64le", 8);

/** Four bytes: 0 is false, any other value is true. */
export const bool32: Type<boolean | number> = new Type({ opcode: Opcode.Bool32LE, kind: "bool32le", width: 4 });
