import { bigint, number } from "./numbers.js";
import { Opcode } from "./opcode.js";

/** The wire types of big-endian protocols. */
export const u16 = number(Opcode.U16BE, "u16be", 2);
export const i16 = number(Opcode.I16BE, "i16be", 2);
export const u32 = number(Opcode.U32BE, "u32be", 4);
export const i32 = number(Opcode.I32BE, "i32be", 4);
export const u64 = bigint(Opcode.U64BE, "u64be");
export const i64 = bigint(Opcode.I64BE, "i64be");
export const f32 = number(Opcode.F32BE, "f32be", 4);
export const f64 = number(Opcode.F64BE, "f64be", 8);
