import { fromBigEndian } from "moul-dissect/dissector";
import { type KeyMaterial, noKeyMaterial } from "../key-material.js";
import { Remarks } from "../remarks.js";
import { likelyServerTypes, noteSeveral, ofServer } from "../server-type.js";
import {
  type DerElement,
  derElements,
  derHeader,
  derInteger,
  derObjectIdentifier,
  derOctetString,
  derSequence,
} from "./der.js";
import { VALUE_BYTES } from "./key-number.js";

/**
 * dhKeyAgreement 1.2.840.113549.1.3.1 and dhpublicnumber 1.2.840.10046.2.1; the parameters of both begin with p and g.
 */
const diffieHellmanIdentifiers = ["2a864886f70d010301", "2a8648ce3e0201"];

/** What to say about an encrypted key (PKCS #8 EncryptedPrivateKeyInfo). */
export const protectedByPassword = "the key is protected by a password: decrypt it first";

/** True if the bytes begin like the DER encoding of a key. Text never does: it has no such control characters. */
export function isDerKey(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 8);
  return start[0] === derSequence && (start.includes(derInteger) || start.includes(derObjectIdentifier));
}

/**
 * A Diffie-Hellman private key in DER, one file per server type. MOSS's `make_cyan_dh` writes a bare SEQUENCE of three
 * INTEGERs: p (the modulus n), g, and the private value a. OpenSSL writes PKCS #8: SEQUENCE { version, { algorithm,
 * { p, g, ... } }, OCTET STRING holding the private INTEGER }. Both are read.
 *
 * The file does not say which server type it is for: see `likelyServerTypes`.
 *
 * Source: MOSS's `dh_keyfile.h` (its ASN.1 template CyanDHParams) and `make_cyan_dh`; RFC 5208, PKCS #3.
 */
export function parseMoss(fileName: string, bytes: Uint8Array): KeyMaterial {
  const remarks = new Remarks(fileName);
  const key = privateKeyOf(bytes);
  if (typeof key === "string") {
    remarks.error(key);
    return { ...noKeyMaterial, remarks: remarks.list() };
  }
  const likely = likelyServerTypes(key.g, fileName);
  noteSeveral(likely, remarks);
  const source = `server private value${ofServer(likely)}, ${fileName}`;
  const servers = likely.map((server) => ({ server, ...key, source }));
  return { ...noKeyMaterial, servers, remarks: remarks.list() };
}

interface PrivateKey {
  readonly n: bigint;
  readonly g: bigint;
  readonly a: bigint;
}

/** The key, or a sentence that says why there is none. */
function privateKeyOf(bytes: Uint8Array): PrivateKey | string {
  const header = derHeader(bytes);
  if (header === undefined || header.tag !== derSequence) return "the DER encoding is damaged";
  const end = header.start + header.length;
  if (end > bytes.length) return `the file is cut short, after ${bytes.length} of ${end} bytes`;
  const elements = derElements(bytes.subarray(header.start, end));
  if (elements === undefined) return "the DER encoding is damaged";
  const [first, second, third] = elements;
  if (first?.tag === derSequence && second?.tag === derOctetString) return protectedByPassword;
  const values = second?.tag === derSequence ? parametersOfPkcs8(second, third) : [first, second, third].map(integerOf);
  if (values === undefined) return "the key is not a Diffie-Hellman private key";
  return checked(...values);
}

/** p, g and a of a PKCS #8 key; undefined if it is for another algorithm. */
function parametersOfPkcs8(
  algorithm: DerElement,
  privateKey: DerElement | undefined,
): (bigint | undefined)[] | undefined {
  const [identifier, parameters] = derElements(algorithm.content) ?? [];
  if (identifier?.tag !== derObjectIdentifier || parameters?.tag !== derSequence) return undefined;
  if (!diffieHellmanIdentifiers.includes(Buffer.from(identifier.content).toString("hex"))) return undefined;
  const [p, g] = derElements(parameters.content) ?? [];
  const [a] = privateKey?.tag === derOctetString ? (derElements(privateKey.content) ?? []) : [];
  return [integerOf(p), integerOf(g), integerOf(a)];
}

function checked(n?: bigint, g?: bigint, a?: bigint): PrivateKey | string {
  if (n === undefined || g === undefined || n < 2n || g < 1n) return "the key is not a Diffie-Hellman private key";
  if (bitLength(n) > VALUE_BYTES * 8)
    return `the modulus has ${bitLength(n)} bits, and MOUL's have at most ${VALUE_BYTES * 8}`;
  // The third number of plain parameters (PKCS #3), if there is one, is the bit length wanted for private values.
  if (a === undefined || a <= VALUE_BYTES * 8)
    return "the file holds Diffie-Hellman parameters without a private value";
  if (bitLength(a) > VALUE_BYTES * 8) return `the private value is longer than ${VALUE_BYTES} bytes`;
  return { n, g, a };
}

/** The value of a non-negative INTEGER of a length that is worth converting. */
function integerOf(element: DerElement | undefined): bigint | undefined {
  if (element?.tag !== derInteger || (element.content[0] ?? 0x80) >= 0x80 || element.content.length > 4096)
    return undefined;
  return fromBigEndian(element.content);
}

function bitLength(value: bigint): number {
  return value.toString(2).length;
}
