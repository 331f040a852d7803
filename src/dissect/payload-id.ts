import { Fnv1a } from "../common/fnv1a.js";
import { hex } from "../schema/tree/leaf.js";
import type { Dissected } from "./message.js";

const hash = new Fnv1a();

/**
 * A short id of a message's bytes, as the protocol has them (after decryption): FNV-1a of 64 bits, as eight bytes that are
 * valid until the next call. The same message in two captures has the same one. Undefined for a range that is not a
 * message.
 */
export function payloadId({ nodes, length }: Dissected): Uint8Array | undefined {
  const source = nodes?.sources[0];
  if (nodes === undefined || source === undefined) return undefined;
  const start = source.origin + nodes.startOf(0);
  hash.hash(source.bytes, start, Math.min(start + length, source.bytes.length));
  return hash.digest;
}

/** The same as 16 hexadecimal digits. */
export function payloadIdText(dissected: Dissected): string | undefined {
  const id = payloadId(dissected);
  return id && hex(id);
}
