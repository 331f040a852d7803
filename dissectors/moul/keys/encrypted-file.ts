import { viewOf } from "moul-dissect/schema";

/** The default key of encrypted files. Source: plFile/plSecureStream.cpp; plFile/plEncryptedStream.cpp. */
const DEFAULT_KEY = [0x6c0a5452, 0x03827d0f, 0x3a170b92, 0x16db7fc2] as const;

const MAGIC_BYTES = 12;
/** Magic, then the length of the content (u32). The last block of the content is padded. */
const HEADER_BYTES = MAGIC_BYTES + 4;
const BLOCK_BYTES = 8;
const DELTA = 0x9e3779b9;
const ROUNDS = 32;

type Key = readonly number[];

/** Decrypts a block, which is two words. */
type Decipher = (first: number, second: number, key: Key) => readonly [number, number];

/** XXTEA over blocks of two words. Source: plFile/plSecureStream.cpp. */
function decipherXxtea(first: number, second: number, key: Key): readonly [number, number] {
  for (let round = ROUNDS; round > 0; round--) {
    const sum = Math.imul(DELTA, round);
    const chosen = (sum >>> 2) & 3;
    second = (second - mixed(first, sum, key[1 ^ chosen] ?? 0)) | 0;
    first = (first - mixed(second, sum, key[chosen] ?? 0)) | 0;
  }
  return [first, second];
}

/** With two words only, the other one is the neighbour on both sides. */
function mixed(other: number, sum: number, key: number): number {
  return (((other >>> 5) ^ (other << 2)) + ((other >>> 3) ^ (other << 4))) ^ ((sum ^ other) + (key ^ other));
}

/** XTEA, which the engine calls TEA. Source: plFile/plEncryptedStream.cpp. */
function decipherXtea(first: number, second: number, key: Key): readonly [number, number] {
  for (let round = ROUNDS; round > 0; round--) {
    const sum = Math.imul(DELTA, round);
    second = (second - (spread(first) ^ (sum + (key[(sum >>> 11) & 3] ?? 0)))) | 0;
    const before = Math.imul(DELTA, round - 1);
    first = (first - (spread(second) ^ (before + (key[before & 3] ?? 0)))) | 0;
  }
  return [first, second];
}

function spread(word: number): number {
  return ((word << 4) ^ (word >>> 5)) + word;
}

/** Source: encryption_keys, "whatdoyousee" and "notthedroids". The old magic is that of files made before Uru Live. */
const ciphers: ReadonlyMap<string, Decipher> = new Map([
  ["notthedroids", decipherXxtea],
  ["whatdoyousee", decipherXtea],
  ["BriceIsSmart", decipherXtea],
]);

/** The magic with which an encrypted file begins; undefined for any other file. */
export function encryptionOf(file: Uint8Array): string | undefined {
  const magic = Buffer.from(file.subarray(0, MAGIC_BYTES)).toString("latin1");
  return ciphers.has(magic) ? magic : undefined;
}

/**
 * The content of an encrypted file with each of the given keys, and with the default key.
 *
 * A key is 16 bytes: four words, most significant byte first, as `Key.Droid` of DIRTSAND's configuration has them.
 * Files named `encryption.key` and messages have the bytes of each word the other way round, so that is tried too.
 */
export function* decryptions(file: Uint8Array, keys: readonly Uint8Array[]): Generator<Uint8Array> {
  const decipher = ciphers.get(encryptionOf(file) ?? "");
  if (decipher === undefined || file.length < HEADER_BYTES) return;
  const bigEndian = keys.map((key) => words(key, { littleEndian: false }));
  const littleEndian = keys.map((key) => words(key, { littleEndian: true }));
  for (const key of [...bigEndian, DEFAULT_KEY, ...littleEndian]) yield decrypted(file, decipher, key);
}

function words(key: Uint8Array, { littleEndian }: { readonly littleEndian: boolean }): Key {
  const view = viewOf(key);
  return [0, 4, 8, 12].map((offset) => view.getUint32(offset, littleEndian));
}

function decrypted(file: Uint8Array, decipher: Decipher, key: Key): Uint8Array {
  const view = viewOf(file);
  const blocks = Math.floor((file.length - HEADER_BYTES) / BLOCK_BYTES);
  // A file may be cut short: then its last, incomplete block is lost as well.
  const length = Math.min(view.getUint32(MAGIC_BYTES, true), blocks * BLOCK_BYTES);
  const content = new DataView(new ArrayBuffer(blocks * BLOCK_BYTES));
  for (let offset = 0; offset < length; offset += BLOCK_BYTES) {
    const start = HEADER_BYTES + offset;
    const [first, second] = decipher(view.getUint32(start, true), view.getUint32(start + 4, true), key);
    content.setUint32(offset, first, true);
    content.setUint32(offset + 4, second, true);
  }
  return new Uint8Array(content.buffer, 0, length);
}
