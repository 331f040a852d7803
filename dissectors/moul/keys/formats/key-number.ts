import { fromBigEndian } from "moul-dissect/dissector";

/** Bytes of every Diffie-Hellman value of MOUL but g. Source: pnNetBase/pnNbConst.h, kNetDiffieHellmanKeyBits. */
export const VALUE_BYTES = 64;

/** Why a text is not a value: a verb phrase that never quotes the text. */
export interface Unusable {
  readonly problem: string;
}

/**
 * A value as DIRTSAND, MOULArs, NAGUS and H'uru's client write it: base64 of 64 bytes, most significant byte first.
 * Padding may be absent.
 */
export function numberOfBase64(text: string): bigint | Unusable {
  const digits = text.replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9+/]*$/.test(digits) || digits.length % 4 === 1) return { problem: "is not base64" };
  return numberOfBytes(Buffer.from(digits, "base64"), fromBigEndian);
}

/** The number of exactly 64 bytes, read in the byte order of `read`. */
export function numberOfBytes(bytes: Uint8Array, read: (bytes: Uint8Array) => bigint): bigint | Unusable {
  if (bytes.length !== VALUE_BYTES) return { problem: `holds ${bytes.length} bytes instead of ${VALUE_BYTES}` };
  return read(bytes);
}

/** A generator: a decimal number of at most 32 bits, as the client keeps it. */
export function numberOfDecimal(text: string): bigint | Unusable {
  if (!/^\d{1,10}$/.test(text) || Number(text) > 0xffffffff) return { problem: "is not a decimal number of 32 bits" };
  return BigInt(text);
}
