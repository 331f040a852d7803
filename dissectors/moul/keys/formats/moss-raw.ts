import { fromBigEndian, fromLittleEndian, modularPower } from "moul-dissect/dissector";
import { type KeyMaterial, noKeyMaterial } from "../key-material.js";
import { Remarks } from "../remarks.js";
import { defaultGenerators, likelyServerTypes, noteSeveral, ofServer } from "../server-type.js";
import { VALUE_BYTES } from "./key-number.js";

/**
 * The two files of bare bytes that MOSS's `make_cyan_dh` writes; undefined for anything else. `-w` writes, for
 * Wireshark, p (the modulus n) and the private value a, most significant byte first. `-c` writes what goes into a
 * client: p and the public value x, least significant byte first. The first number distinguishes them from each other
 * and from anything else: p is a safe prime of 512 bits.
 *
 * Neither says which server type it is for: see `likelyServerTypes`.
 *
 * Source: MOSS: support/make_cyan_dh.c.
 */
export function parseMossRaw(fileName: string, bytes: Uint8Array): KeyMaterial | undefined {
  if (bytes.length <= VALUE_BYTES || bytes.length > 2 * VALUE_BYTES) return undefined;
  const [first, second] = [bytes.subarray(0, VALUE_BYTES), bytes.subarray(VALUE_BYTES)];
  const likely = likelyServerTypes(undefined, fileName);
  const remarks = new Remarks(fileName);
  noteSeveral(likely, remarks);

  const n = fromBigEndian(first);
  if (isSafePrime(n)) {
    const a = fromBigEndian(second);
    const source = `server private value${ofServer(likely)}, ${fileName}`;
    const servers = likely.map((server) => ({ server, n, a, g: defaultGenerators[server], source }));
    return { ...noKeyMaterial, servers, remarks: remarks.list() };
  }

  const reversed = fromLittleEndian(first);
  if (second.length !== VALUE_BYTES || !isSafePrime(reversed)) return undefined;
  const x = fromLittleEndian(second);
  const source = `public values${ofServer(likely)}, ${fileName}`;
  const clients = likely.map((server) => ({ server, n: reversed, x, g: defaultGenerators[server], source }));
  return { ...noKeyMaterial, clients, remarks: remarks.list() };
}

/** True if p has 512 bits and, as far as two Fermat tests show, both p and (p - 1) / 2 are prime. */
function isSafePrime(p: bigint): boolean {
  // All safe primes but 5 and 7 leave this remainder.
  if (p % 12n !== 11n || p >> BigInt(8 * VALUE_BYTES - 1) !== 1n) return false;
  return [p, (p - 1n) / 2n].every((prime) => modularPower(2n, prime - 1n, prime) === 1n);
}
