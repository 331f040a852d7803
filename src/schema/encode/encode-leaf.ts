import { counted } from "../../common/counted.js";
import type { Field } from "../language/field.js";
import { isFloat, Opcode } from "../language/opcode.js";
import { Exact } from "./exact.js";

export function encodeLeaf(field: Field, value: unknown): Uint8Array {
  if (value instanceof Exact) return value.bytes;
  switch (field.opcode) {
    case Opcode.FixedBytes: {
      const bytes = asBytes(value);
      if (bytes.length !== field.width)
        throw new RangeError(`needs ${counted(field.width, "byte")}, has ${bytes.length}`);
      return bytes;
    }
    case Opcode.FixedText: {
      const bytes = Buffer.alloc(field.width);
      const text = Buffer.from(asString(value), field.encoding);
      if (asString(value).includes("\0")) throw new RangeError("would end at the zero in it");
      if (text.length > field.width) throw new RangeError(`holds at most ${counted(field.width, "byte")}`);
      text.copy(bytes);
      return bytes;
    }
    case Opcode.Text:
      return Buffer.from(asString(value), field.encoding);
    case Opcode.Codec:
      if (value === undefined) throw new TypeError("is missing");
      return field.codec?.write(value) ?? new Uint8Array(0);
    case Opcode.Uuid:
      return encodeUuid(asString(value));
    case Opcode.Bool8:
    case Opcode.Bool32LE:
      return encodeNumber(field, typeof value === "boolean" ? Number(value) : asNumber(value));
    case Opcode.U64LE:
    case Opcode.I64LE:
    case Opcode.U64BE:
    case Opcode.I64BE:
      return encodeBigint(field.opcode, value);
    case Opcode.Bytes:
    case Opcode.Region:
      return asBytes(value);
    default:
      return encodeNumber(field, asNumber(value));
  }
}

function encodeNumber(field: Field, value: number): Uint8Array {
  if (!isFloat(field.opcode) && !Number.isInteger(value)) throw new RangeError(`${value} is not a whole number`);
  if (Number.isNaN(value)) return encodeNaN(field.opcode);
  const bytes = Buffer.alloc(field.width);
  switch (field.opcode) {
    case Opcode.F32LE:
      bytes.writeFloatLE(value);
      break;
    case Opcode.F64LE:
      bytes.writeDoubleLE(value);
      break;
    case Opcode.F32BE:
      bytes.writeFloatBE(value);
      break;
    case Opcode.F64BE:
      bytes.writeDoubleBE(value);
      break;
    case Opcode.I8:
    case Opcode.I16LE:
    case Opcode.I32LE:
      bytes.writeIntLE(value, 0, field.width);
      break;
    case Opcode.I16BE:
    case Opcode.I32BE:
      bytes.writeIntBE(value, 0, field.width);
      break;
    case Opcode.U16BE:
    case Opcode.U32BE:
      bytes.writeUIntBE(value, 0, field.width);
      break;
    default:
      bytes.writeUIntLE(value, 0, field.width);
  }
  return bytes;
}

/** Returns the bytes of the usual NaN: JavaScript may or may not keep the payload of any other. */
function encodeNaN(opcode: Opcode): Uint8Array {
  const bigEndian = opcode === Opcode.F32BE || opcode === Opcode.F64BE;
  const wide = opcode === Opcode.F64LE || opcode === Opcode.F64BE;
  const bytes = Buffer.from(wide ? "7ff8000000000000" : "7fc00000", "hex");
  return bigEndian ? bytes : bytes.reverse();
}

function encodeBigint(opcode: Opcode, value: unknown): Uint8Array {
  if (typeof value !== "bigint" && typeof value !== "number") {
    throw new TypeError(value === undefined ? "is missing" : "needs a bigint");
  }
  const bytes = Buffer.alloc(8);
  const whole = BigInt(value);
  const signed = opcode === Opcode.I64LE || opcode === Opcode.I64BE;
  if ((signed ? BigInt.asIntN(64, whole) : BigInt.asUintN(64, whole)) !== whole) {
    throw new RangeError(`${whole} does not fit into 64 bits`);
  }
  const bits = BigInt.asUintN(64, whole);
  if (opcode === Opcode.U64LE || opcode === Opcode.I64LE) bytes.writeBigUInt64LE(bits);
  else bytes.writeBigUInt64BE(bits);
  return bytes;
}

const UUID = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/i;

function encodeUuid(text: string): Uint8Array {
  const [, first = "", second = "", third = "", fourth = "", fifth = ""] = UUID.exec(text) ?? [];
  if (first === "") throw new RangeError(`${text} is not a UUID`);
  const turned = [first, second, third].map((group) => Buffer.from(group, "hex").reverse());
  return Buffer.concat([...turned, Buffer.from(fourth + fifth, "hex")]);
}

function asNumber(value: unknown): number {
  if (typeof value === "number") return value;
  throw new TypeError(value === undefined ? "is missing" : "needs a number");
}

export function asBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new TypeError(value === undefined ? "is missing" : "needs bytes");
}

export function asString(value: unknown): string {
  if (typeof value === "string") return value;
  throw new TypeError(value === undefined ? "is missing" : "needs a string");
}
