import { addressBytes, normalAddress } from "../network/address.js";
import type { Literal } from "./language/expression.js";
import { type Instant, instantOf } from "./language/instant.js";

/** A range of addresses: all that share the first `bits` bits of an address of 4 or 16 bytes. */
interface Subnet {
  readonly address: Uint8Array;
  readonly bits: number;
}

/** A value of an expression, in every form in which it can be compared; the field decides which one counts. */
export interface Value {
  readonly text: string;
  /** True for a name without quotes, for which it can be checked whether it means anything. */
  readonly isWord: boolean;
  /** True for a text in quotes. */
  readonly isText: boolean;
  /** NaN if it is not a number. */
  readonly number: number;
  /** The number, or what columns and JSON call a float that is none: NaN for `NaN`; undefined for anything else. */
  readonly real: number | undefined;
  /** The same as a 32-bit float holds it, if it can. */
  readonly real32: number | undefined;
  readonly integer: bigint | undefined;
  /** @internal The bytes that hexadecimal digits stand for, or the characters of a text in quotes. */
  readonly bytes: Buffer | undefined;
  readonly instant: Instant | undefined;
  readonly subnet: Subnet | undefined;
  /** An IPv6 address, in the one of its many forms that endpoints have. */
  readonly address: string | undefined;
  /** A UUID in lower case: its letters may be written either way. */
  readonly uuid: string | undefined;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const HEX_BYTES = /^(?:0x)?(?:[\da-f]{2})+$/i;

/** Returns everything that a literal can stand for. */
export function literalValue({ form, text }: Literal): Value {
  const number = form === "number" ? numberOf(text) : Number.NaN;
  const real = form === "number" ? number : NOT_FINITE.get(text);
  return {
    text: form === "uuid" ? text.toLowerCase() : text,
    isWord: form === "word",
    isText: form === "string",
    number,
    real,
    real32: real === undefined ? undefined : singlePrecision(real),
    integer: Number.isInteger(number) ? integerOf(text, number) : undefined,
    bytes: form === "string" ? Buffer.from(text, "utf8") : bytesOf(text),
    instant: form === "time" || form === "string" ? instantOf(text) : undefined,
    subnet: form === "address" || form === "string" ? subnetOf(text) : undefined,
    address: text.includes(":") ? normalAddress(text) : undefined,
    uuid: UUID.test(text) ? text.toLowerCase() : undefined,
  };
}

const NOT_FINITE: ReadonlyMap<string, number> = new Map(
  [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN].map((number) => [String(number), number]),
);

/** Rounds a number as 32-bit floats are, so that 0.1 equals one; but not to infinity or 0, which it does not equal. */
function singlePrecision(number: number): number {
  const rounded = Math.fround(number);
  return Number.isFinite(rounded) && rounded !== 0 ? rounded : number;
}

const SIGNED_HEX = /^[-+]0x/i;

function numberOf(text: string): number {
  // JavaScript accepts no sign before hexadecimal digits.
  return SIGNED_HEX.test(text) ? Number(text.slice(1)) * (text.startsWith("-") ? -1 : 1) : Number(text);
}

function integerOf(text: string, number: number): bigint {
  if (!/^[-+]?(?:0x[\da-f]+|\d+)$/i.test(text)) return BigInt(number);
  const size = BigInt(text.replace(/^[-+]/, ""));
  return text.startsWith("-") ? -size : size;
}

function bytesOf(text: string): Buffer | undefined {
  const digits = text.replaceAll(":", "");
  return HEX_BYTES.test(digits) ? Buffer.from(digits.replace(/^0x/i, ""), "hex") : undefined;
}

function subnetOf(text: string): Subnet | undefined {
  const [start = "", length] = text.split("/");
  const address = normalAddress(start);
  if (length === undefined || address === undefined) return undefined;
  const bytes = addressBytes(address);
  return Number(length) > 8 * bytes.length ? undefined : { address: bytes, bits: Number(length) };
}

/** True if an address, as text, is in a range. */
export function isInSubnet(text: string, { address, bits }: Subnet): boolean {
  const normal = normalAddress(text);
  const bytes = normal === undefined ? undefined : addressBytes(normal);
  if (bytes?.length !== address.length) return false;
  return bytes.every((byte, index) => {
    const unequal = byte ^ (address[index] ?? 0);
    const looseBits = Math.min(8, Math.max(0, 8 * (index + 1) - bits));
    return unequal >> looseBits === 0;
  });
}
