/** Key of files that nobody gave another one. Source: plFile/plSecureStream.cpp; plFile/plEncryptedStream.cpp. */
const DEFAULT_KEY = [0x6c0a5452, 0x03827d0f, 0x3a170b92, 0x16db7fc2] as const;

const MAGIC_BYTES = 12;
/** Magic, then the length of the content (u32). The last block of the content is filled up. */
const HEADER_BYTES = MAGIC_BYTES + 4;
const BLOCK_BYTES = 8;
const DELTA = 0x9e3779b9;
const ROUNDS = 32;

type Key = readonly number[];

/** Decrypts a block of two words in place. */
type Decipher = (block: Uint32Array, key: Key) => void;

/** XXTEA over blocks of two words. Source: plFile/plSecureStream.cpp. */
function decipherXxtea(block: Uint32Array, key: Key): void {
  let [first = 0, second = 0] = block;
  for (let round = ROUNDS; round > 0; round--) {
    const sum = Math.imul(DELTA, round);
    const chosen = (sum >>> 2) & 3;
    // With two words only, each is the neighbour of the other on both sides.
    second = (second - mixed(first, first, sum, key[1 ^ chosen] ?? 0)) >>> 0;
    first = (first - mixed(second, second, sum, key[chosen] ?? 0)) >>> 0;
  }
  block.set([first, second]);
}

function mixed(before: number, behind: number, sum: number, key: number): number {
  const shifted = ((before >>> 5) ^ (behind << 2)) + ((behind >>> 3) ^ (before << 4));
  return shifted ^ ((sum ^ behind) + (key ^ before));
}

/** XTEA, which the engine calls TEA. Source: plFile/plEncryptedStream.cpp. */
function decipherXtea(block: Uint32Array, key: Key): void {
  let [first = 0, second = 0] = block;
  for (let round = ROUNDS; round > 0; round--) {
    const sum = Math.imul(DELTA, round);
    second = (second - ((((first << 4) ^ (first >>> 5)) + first) ^ (sum + (key[(sum >>> 11) & 3] ?? 0)))) >>> 0;
    const before = Math.imul(DELTA, round - 1);
    first = (first - ((((second << 4) ^ (second >>> 5)) + second) ^ (before + (key[before & 3] ?? 0)))) >>> 0;
  }
  block.set([first, second]);
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
 * A key is 16 bytes: four words, most significant byte first, as `Key.Droid` of DIRTSAND's configuration has them. Files
 * named `encryption.key` and messages have the bytes of each word the other way round, so that is tried too.
 */
export function* decryptions(file: Uint8Array, keys: readonly Uint8Array[]): Generator<Uint8Array> {
  const decipher = ciphers.get(encryptionOf(file) ?? "");
  if (decipher === undefined || file.length < HEADER_BYTES) return;
  for (const key of [...keys.map((key) => words(key, false)), DEFAULT_KEY, ...keys.map((key) => words(key, true))]) {
    yield decrypted(file, decipher, key);
  }
}

function words(key: Uint8Array, littleEndian: boolean): Key {
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
  return key.length < 16 ? DEFAULT_KEY : [0, 4, 8, 12].map((offset) => view.getUint32(offset, littleEndian));
}

function decrypted(file: Uint8Array, decipher: Decipher, key: Key): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const length = Math.min(view.getUint32(MAGIC_BYTES, true), file.length - HEADER_BYTES);
  const whole = length - (length % BLOCK_BYTES);
  const blocks = Math.ceil(length / BLOCK_BYTES);
  const content = new DataView(new ArrayBuffer(blocks * BLOCK_BYTES));
  const block = new Uint32Array(2);
  let end = 0;
  for (let offset = 0; offset < length; offset += BLOCK_BYTES) {
    const start = HEADER_BYTES + offset;
    // A file that was cut within a block has nothing of that block.
    if (start + BLOCK_BYTES > file.length) return new Uint8Array(content.buffer, 0, whole);
    block.set([view.getUint32(start, true), view.getUint32(start + 4, true)]);
    decipher(block, key);
    content.setUint32(offset, block[0] ?? 0, true);
    content.setUint32(offset + 4, block[1] ?? 0, true);
    end = offset + BLOCK_BYTES;
  }
  return new Uint8Array(content.buffer, 0, Math.min(end, length));
}
