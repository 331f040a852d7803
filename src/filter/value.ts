import type { Literal } from "./expression.js";
import { type Instant, instantOf } from "./instant.js";

/** A range of IPv4 addresses: all that have the bits of `address` where `mask` has one. */
export interface Subnet {
  readonly address: number;
  readonly mask: number;
}

/** A value of an expression in every form in which it can be compared: which one counts, the field decides. */
export interface Value {
  readonly text: string;
  /** True for a name without quotes: whether it means anything can be checked. */
  readonly isWord: boolean;
  /** NaN if it is no number. */
  readonly number: number;
  /** The number as a 32-bit float holds it. */
  readonly float32: number;
  readonly integer: bigint | undefined;
  /** The bytes that hexadecimal digits stand for, or the characters of a text in quotes. */
  readonly bytes: Buffer | undefined;
  readonly instant: Instant | undefined;
  readonly subnet: Subnet | undefined;
}

const HEX_BYTES = /^(?:0x)?(?:[\da-f]{2})+$/i;

/** What a literal can stand for. */
export function literalValue({ form, text }: Literal): Value {
  const number = form === "number" ? numberOf(text) : Number.NaN;
  return {
    text: form === "uuid" ? text.toLowerCase() : text,
    isWord: form === "word",
    number,
    float32: Math.fround(number),
    integer: Number.isInteger(number) ? integerOf(text, number) : undefined,
    bytes: form === "string" ? Buffer.from(text, "utf8") : bytesOf(text),
    instant: form === "time" || form === "string" ? instantOf(text) : undefined,
    subnet: form === "address" ? subnetOf(text) : undefined,
  };
}

const SIGNED_HEX = /^[-+]0x/i;

function numberOf(text: string): number {
  // JavaScript takes no sign in front of hexadecimal digits.
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
  const [address = "", bits] = text.split("/");
  const number = addressOf(address);
  if (bits === undefined || number === undefined || Number(bits) > 32) return undefined;
  // A shift by 32 would be none.
  const mask = Number(bits) === 0 ? 0 : -1 << (32 - Number(bits));
  return { address: number & mask, mask };
}

const ADDRESS = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/** An IPv4 address as a (signed) number; undefined if the text is none. */
function addressOf(text: string): number | undefined {
  const parts = ADDRESS.exec(text)?.slice(1).map(Number);
  if (parts === undefined || parts.some((part) => part > 255)) return undefined;
  return parts.reduce((number, part) => (number << 8) | part, 0);
}

/** True if an address, as text, is in a range. */
export function isInSubnet(text: string, { address, mask }: Subnet): boolean {
  const number = addressOf(text);
  return number !== undefined && (number & mask) === address;
}
