import { bufferOf } from "../../common/buffer-of.js";
import type { Field } from "../language/field.js";
import type { LeafValue } from "../language/field-tree.js";
import { isNumber, Opcode } from "../language/opcode.js";
import type { FieldEntry } from "../table/struct-table.js";
import { readFixedText, readFixedUtf16, readText, readUtf16 } from "./text.js";

/** Reads the number at `start`; NaN for an opcode without one. 64-bit integers lose what a double cannot hold. */
export function readNumber(opcode: Opcode, view: DataView, start: number): number {
  switch (opcode) {
    case Opcode.U8:
    case Opcode.Bool8:
      return view.getUint8(start);
    case Opcode.I8:
      return view.getInt8(start);
    case Opcode.U16LE:
      return view.getUint16(start, true);
    case Opcode.I16LE:
      return view.getInt16(start, true);
    case Opcode.U32LE:
    case Opcode.Bool32LE:
      return view.getUint32(start, true);
    case Opcode.I32LE:
      return view.getInt32(start, true);
    case Opcode.U64LE:
      return Number(view.getBigUint64(start, true));
    case Opcode.I64LE:
      return Number(view.getBigInt64(start, true));
    case Opcode.F32LE:
      return view.getFloat32(start, true);
    case Opcode.F64LE:
      return view.getFloat64(start, true);
    case Opcode.U16BE:
      return view.getUint16(start);
    case Opcode.I16BE:
      return view.getInt16(start);
    case Opcode.U32BE:
      return view.getUint32(start);
    case Opcode.I32BE:
      return view.getInt32(start);
    case Opcode.U64BE:
      return Number(view.getBigUint64(start));
    case Opcode.I64BE:
      return Number(view.getBigInt64(start));
    case Opcode.F32BE:
      return view.getFloat32(start);
    case Opcode.F64BE:
      return view.getFloat64(start);
    default:
      return Number.NaN;
  }
}

/**
 * Reads the number that later fields test: for a 64-bit flag set, its low 32 bits, which hold all flags in use; for a
 * 32-bit float, its bits.
 */
export function readControl(opcode: Opcode, view: DataView, start: number): number {
  switch (opcode) {
    case Opcode.U64LE:
    case Opcode.I64LE:
    case Opcode.F32LE:
      return view.getUint32(start, true);
    case Opcode.U64BE:
    case Opcode.I64BE:
      return view.getUint32(start + 4);
    case Opcode.F32BE:
      return view.getUint32(start);
    default:
      return readNumber(opcode, view, start);
  }
}

/** Reads the number that later fields test from a leaf with a codec; it need not be a whole number. */
export function readCodedControl(entry: FieldEntry, bytes: Uint8Array, start: number, end: number): number {
  const value: unknown = entry.codec?.read(bytes, start, end);
  if (typeof value === "number") return value;
  // If only bits are tested, the lowest 32 count, as above; a number of more than 53 bits would lose them.
  if (typeof value === "bigint") return Number(entry.isSeenWhole ? value : BigInt.asUintN(32, value));
  throw new TypeError(`${entry.field.name}: the codec reads ${String(value)}, which is not a number`);
}

/** Reads the raw value of a leaf between two offsets of a buffer. */
export function readLeaf(
  field: Field,
  source: { readonly bytes: Uint8Array; readonly view: DataView },
  start: number,
  end: number,
): LeafValue {
  const { bytes, view } = source;
  switch (field.opcode) {
    case Opcode.Bool8:
    case Opcode.Bool32LE: {
      const value = readNumber(field.opcode, view, start);
      return value <= 1 ? value === 1 : value;
    }
    case Opcode.U64LE:
      return view.getBigUint64(start, true);
    case Opcode.I64LE:
      return view.getBigInt64(start, true);
    case Opcode.U64BE:
      return view.getBigUint64(start);
    case Opcode.I64BE:
      return view.getBigInt64(start);
    case Opcode.Uuid:
      return readUuid(bytes, start);
    case Opcode.FixedText:
      return field.encoding === "utf8" ? readFixedText(bytes, start, end) : readFixedUtf16(bytes, start, end);
    case Opcode.Text:
      return field.encoding === "utf8" ? readText(bytes, start, end) : readUtf16(bytes, start, end);
    case Opcode.Codec: {
      const value = field.codec?.read(bytes, start, end);
      if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value;
      if (value instanceof Uint8Array) return value;
      throw new TypeError(`${field.name}: the codec reads ${String(value)}, which is not a text, a number or bytes`);
    }
    default:
      return isNumber(field.opcode) ? readNumber(field.opcode, view, start) : bytes.subarray(start, end);
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const UUID_ORDER = [3, 2, 1, 0, -1, 5, 4, -1, 7, 6, -1, 8, 9, -1, 10, 11, 12, 13, 14, 15];

function readUuid(bytes: Uint8Array, start: number): string {
  let text = "";
  for (const offset of UUID_ORDER) text += offset < 0 ? "-" : HEX[bytes[start + offset] ?? 0];
  return text;
}

/** Returns bytes as lower-case hexadecimal digits. */
export function hex(bytes: Uint8Array): string {
  return bufferOf(bytes).toString("hex");
}
