import { bigint, number } from "./numbers.js";
import { Opcode } from "./opcode.js";
import { Type } from "./type.js";

/** The wire types of little-endian protocols. */
export const u16 = number(Opcode.U16LE, "u16le", 2);
export const i16 = number(Opcode.I16LE, "i16le", 2);
export const u32 = number(Opcode.U32LE, "u32le", 4);
export const i32 = number(Opcode.I32LE, "i32le", 4);
export const u64 = bigint(Opcode.U64LE, "u64le");
export const i64 = bigint(Opcode.I64LE, "i64le");
export const f32 = number(Opcode.F32LE, "f32le", 4);
export const f64 = number(Opcode.F64LE, "f64le", 8);

/** Four bytes: 0 is false, any other value is true. */
export const bool32: Type<boolean | number> = new Type({ opcode: Opcode.Bool32LE, kind: "bool32le", width: 4 });
