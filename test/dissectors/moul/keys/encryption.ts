/** The encryptions of definition files, written directly from their descriptions. */

const DELTA = 0x9e3779b9n;
const WORD = 0xffffffffn;

/** XXTEA (Wheeler and Needham, 1998) over two words. */
export function xxtea([v0 = 0n, v1 = 0n]: readonly bigint[], key: readonly bigint[]): bigint[] {
  const v = [v0, v1];
  const at = (index: number) => v[index] ?? 0n;
  let [sum, z] = [0n, v1];
  for (let round = 0; round < 6 + 52 / 2; round++) {
    sum = (sum + DELTA) & WORD;
    const e = Number((sum >> 2n) & 3n);
    for (let p = 0; p < 2; p++) {
      const y = at((p + 1) % 2);
      const mx = (((z >> 5n) ^ (y << 2n)) + ((y >> 3n) ^ (z << 4n))) ^ ((sum ^ y) + ((key[(p & 3) ^ e] ?? 0n) ^ z));
      z = (at(p) + mx) & WORD;
      v[p] = z;
    }
  }
  return v;
}

/** XTEA (Needham and Wheeler, 1997), which the engine calls TEA. */
export function xtea([v0 = 0n, v1 = 0n]: readonly bigint[], key: readonly bigint[]): bigint[] {
  let [a, b, sum] = [v0, v1, 0n];
  for (let round = 0; round < 32; round++) {
    a = (a + ((((b << 4n) ^ (b >> 5n)) + b) ^ (sum + (key[Number(sum & 3n)] ?? 0n)))) & WORD;
    sum = (sum + DELTA) & WORD;
    b = (b + ((((a << 4n) ^ (a >> 5n)) + a) ^ (sum + (key[Number((sum >> 11n) & 3n)] ?? 0n)))) & WORD;
  }
  return [a, b];
}

export const DEFAULT_KEY = [0x6c0a5452n, 0x03827d0fn, 0x3a170b92n, 0x16db7fc2n];

/** A file as clients and servers encrypt it. */
export function encryptedFile(magic: string, content: string | Uint8Array, key = DEFAULT_KEY): Buffer {
  const encipher = magic === "notthedroids" ? xxtea : xtea;
  const plain = Buffer.from(content);
  // The padding of the last block is random, and must not matter.
  const blocks = Buffer.concat([plain, Buffer.alloc((8 - (plain.length % 8)) % 8, 0xa5)]);
  for (let offset = 0; offset < blocks.length; offset += 8) {
    const words = [blocks.readUInt32LE(offset), blocks.readUInt32LE(offset + 4)].map(BigInt);
    encipher(words, key).forEach((word, index) => void blocks.writeUInt32LE(Number(word), offset + 4 * index));
  }
  const header = Buffer.alloc(16);
  header.write(magic, "latin1");
  header.writeUInt32LE(plain.length, 12);
  return Buffer.concat([header, blocks]);
}
