import type { Json } from "../schema/json.js";
import type { Names } from "../schema/numbers.js";
import { compareInstants, type Instant, instantOf } from "./instant.js";
import { isInSubnet, type Value } from "./value.js";

/** A single value, wherever it comes from. */
export type Scalar = Json | bigint | Uint8Array | Instant | NamedNumber;

/** A number that follows from fields, and that has a name: as with a field, an expression may give either of them. */
export class NamedNumber {
  constructor(
    readonly number: number,
    readonly name: string,
    /** What other numbers are called, as far as that is declared. */
    readonly names: Names,
  ) {}
}

/** Below 0 if `a` is less than `b`, above 0 if it is more, 0 if they are equal; NaN if they do not compare. */
export function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : 0;
}

/** Compares a text with a value of an expression: as times, where both are; else by their UTF-16 units. */
export function compareText(text: string, value: Value): number {
  if (value.instant !== undefined) {
    const instant = instantOf(text);
    if (instant !== undefined) return compareInstants(instant, value.instant);
  }
  if (value.subnet !== undefined) return isInSubnet(text, value.subnet) ? 0 : Number.NaN;
  if (text === value.text || text === value.address) return 0;
  return text < value.text ? -1 : 1;
}

/** Compares with a value of an expression; NaN if that is of another kind. */
export function compareScalar(scalar: Scalar, value: Value): number {
  switch (typeof scalar) {
    case "string":
      return compareText(scalar, value);
    case "number":
      return compareNumbers(scalar, value.number);
    case "bigint":
      return compareNumbers(scalar, value.integer ?? value.number);
    case "boolean":
      return compareBoolean(scalar, value);
    default:
      if (scalar === null) return value.text === "null" ? 0 : Number.NaN;
      if (scalar instanceof Uint8Array) {
        return value.bytes === undefined ? Number.NaN : Buffer.compare(scalar, value.bytes);
      }
      if (scalar instanceof NamedNumber) return compareNamed(scalar, value);
      if (isInstant(scalar)) return value.instant === undefined ? Number.NaN : compareInstants(scalar, value.instant);
      return Number.NaN;
  }
}

/** A name stands for its number, so that one can be more than another. */
function compareNamed({ number, name, names }: NamedNumber, value: Value): number {
  if (!Number.isNaN(value.number)) return compareNumbers(number, value.number);
  const named = Object.hasOwn(names, value.text) ? names[value.text] : undefined;
  return named === undefined ? compareText(name, value) : compareNumbers(number, named);
}

/** `true` is 1 as well, and `false` is 0. */
export function compareBoolean(truth: boolean, value: Value): number {
  if (value.text === "true" || value.text === "false") return Number(truth) - Number(value.text === "true");
  return compareNumbers(Number(truth), value.number);
}

/** True if the value of an expression is a part of a text or byte string. */
export function contains(scalar: Scalar, value: Value): boolean {
  if (scalar instanceof NamedNumber) return contains(scalar.name, value);
  if (typeof scalar !== "object") return String(scalar).includes(value.text);
  if (!(scalar instanceof Uint8Array) || value.bytes === undefined) return false;
  return Buffer.from(scalar.buffer, scalar.byteOffset, scalar.byteLength).includes(value.bytes);
}

/** True if a regular expression fits a text, or byte string (a character for each byte). */
export function matches(scalar: Scalar, pattern: RegExp): boolean {
  if (scalar instanceof NamedNumber) return pattern.test(scalar.name);
  if (scalar instanceof Uint8Array) {
    return pattern.test(Buffer.from(scalar.buffer, scalar.byteOffset, scalar.byteLength).toString("latin1"));
  }
  return typeof scalar === "object" ? false : pattern.test(String(scalar));
}

function isInstant(scalar: object): scalar is Instant {
  return "seconds" in scalar && "nanoseconds" in scalar;
}
