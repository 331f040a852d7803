import { bufferOf } from "../common/buffer-of.js";
import type { Json } from "../common/json.js";
import { compareInstants, type Instant, instantOf } from "./language/instant.js";
import { compareNumbers, hasBits, type Naming, numberNamed } from "./named-numbers.js";
import { isInSubnet, type Value } from "./value.js";

/** A single value, wherever it comes from. */
export type Scalar = Json | bigint | Uint8Array | Instant | NamedNumber | readonly Scalar[];

/**
 * A derived number that has a name, or whose bits have names: as with a field, an expression may use the number or the
 * names.
 */
export class NamedNumber {
  constructor(
    readonly number: number,
    /** Its name, or the names of its bits separated by `|`. */
    readonly name: string,
    readonly naming: Naming,
  ) {}
}

/** Compares a text with a value of an expression: as times if both are times, without regard to case with a UUID. */
export function compareText(text: string, value: Value): number {
  if (value.instant !== undefined) {
    const instant = instantOf(text);
    if (instant !== undefined) return compareInstants(instant, value.instant);
  }
  if (value.subnet !== undefined) return isInSubnet(text, value.subnet) ? 0 : Number.NaN;
  if (value.uuid !== undefined) return compareUnits(text.toLowerCase(), value.uuid);
  return text === value.address ? 0 : compareUnits(text, value.text);
}

function compareUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Compares a scalar with a value of an expression; NaN if that is of another kind. */
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

/** Compares names by their numbers, so that one can be more than another. */
function compareNamed({ number, name, naming }: NamedNumber, value: Value): number {
  if (!Number.isNaN(value.number)) return compareNumbers(number, value.number);
  const named = numberNamed(naming, value.text);
  if (named !== undefined) return compareNumbers(number, named);
  return naming.form === "enumeration" ? compareText(name, value) : Number.NaN;
}

/** Compares a boolean; `true` equals 1, and `false` equals 0. */
export function compareBoolean(truth: boolean, value: Value): number {
  if (value.text === "true" || value.text === "false") return Number(truth) - Number(value.text === "true");
  return compareNumbers(Number(truth), value.number);
}

/** True if a text or byte string contains the value of an expression. */
export function contains(scalar: Scalar, value: Value): boolean {
  if (scalar instanceof NamedNumber) return containsNamed(scalar, value);
  if (typeof scalar !== "object") return String(scalar).includes(value.text);
  if (!(scalar instanceof Uint8Array) || value.bytes === undefined) return false;
  return bufferOf(scalar).includes(value.bytes);
}

function containsNamed({ number, name, naming }: NamedNumber, value: Value): boolean {
  if (naming.form === "enumeration") return contains(name, value);
  const wanted = numberNamed(naming, value.text);
  if (naming.form === "bit numbers") return wanted === number;
  return wanted !== undefined && hasBits(number, wanted);
}

/** True if a regular expression matches a text, or a byte string (one character per byte). */
export function matches(scalar: Scalar, pattern: RegExp): boolean {
  if (scalar instanceof NamedNumber) return pattern.test(scalar.name);
  if (scalar instanceof Uint8Array) return pattern.test(bufferOf(scalar).toString("latin1"));
  return typeof scalar === "object" ? false : pattern.test(String(scalar));
}

function isInstant(scalar: object): scalar is Instant {
  return "seconds" in scalar && "nanoseconds" in scalar;
}
