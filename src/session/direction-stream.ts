import type { Origin } from "../network/conversation.js";
import { viewOf } from "../schema/nodes.js";
import type { Cipher } from "./dissector.js";

/** A piece of the stream that is missing. */
interface Gap {
  /** Offset of its first byte in the stream as it was sent, gaps counted. */
  readonly offset: number;
  readonly length: number;
  readonly reason: "lost" | "cut";
}

/**
 * The bytes of one direction that have arrived and are not dissected yet: decrypted as soon as a cipher is known, with
 * the frame and time that each of them came in. Ends at the first gap; what follows a gap is readable once the gap has
 * been passed.
 */
export class DirectionStream {
  /** Bytes received in all, gaps not counted. */
  received = 0;
  /** True if no more bytes come. */
  ended = false;
  /** Offset in the stream, gaps counted, of the current place. */
  offset = 0;
  #buffer = new Uint8Array(2048);
  #view = viewOf(this.#buffer);
  #start = 0;
  #end = 0;
  #cipher: Cipher | undefined;
  readonly #gaps: Gap[] = [];
  // Where bytes came from, one entry a packet: the offset behind its last byte, and its frame and time.
  readonly #origins: (Origin & { readonly until: number })[] = [];

  /** The buffer in which `start` to `end` is readable. */
  get bytes(): Uint8Array {
    return this.#buffer;
  }

  get view(): DataView {
    return this.#view;
  }

  get start(): number {
    return this.#start;
  }

  /** End of what is readable: of what has arrived, or of what there is in front of a gap. */
  get end(): number {
    const gap = this.#gaps[0];
    return gap === undefined ? this.#end : this.#start + (gap.offset - this.offset);
  }

  /** The gap that ends what is readable, if there is one. */
  get gap(): Gap | undefined {
    return this.#gaps[0];
  }

  append(bytes: Uint8Array, origin: Origin): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#end);
    this.#cipher?.apply(this.#buffer, this.#end, this.#end + bytes.length);
    this.#end += bytes.length;
    this.received += bytes.length;
    this.#origins.push({ ...pick(origin), until: this.#tail() });
  }

  appendGap(length: number, reason: "lost" | "cut", origin: Origin): void {
    this.#gaps.push({ offset: this.#tail(), length, reason });
    this.#cipher?.skip(length);
    this.#origins.push({ ...pick(origin), until: this.#tail() });
  }

  /** Offset in the stream behind the last byte that has arrived. */
  #tail(): number {
    let missing = 0;
    for (const gap of this.#gaps) missing += gap.length;
    return this.offset + (this.#end - this.#start) + missing;
  }

  /** Lays a cipher over everything from the current place on. */
  decrypt(cipher: Cipher): void {
    let from = this.#start;
    let offset = this.offset;
    for (const gap of this.#gaps) {
      const until = from + (gap.offset - offset);
      cipher.apply(this.#buffer, from, until);
      cipher.skip(gap.length);
      offset = gap.offset + gap.length;
      from = until;
    }
    cipher.apply(this.#buffer, from, this.#end);
    this.#cipher = cipher;
  }

  /** The origins of the next `length` bytes, in the order of the stream. */
  originsOf(length: number): readonly Origin[] {
    const last = this.offset + length;
    const found: Origin[] = [];
    for (const origin of this.#origins) {
      found.push(origin);
      if (origin.until >= last) break;
    }
    return found;
  }

  /** Moves on by some bytes that have been dealt with. */
  consume(length: number): void {
    this.#start += length;
    this.offset += length;
    this.#dropOrigins();
    if (this.#start === this.#end) {
      this.#start = 0;
      this.#end = 0;
    }
  }

  /** Moves on behind the gap at the current place. */
  passGap(): void {
    const gap = this.#gaps.shift();
    if (gap === undefined) return;
    this.offset += gap.length;
    this.#dropOrigins();
  }

  #dropOrigins(): void {
    let done = 0;
    while (done < this.#origins.length && (this.#origins[done]?.until ?? 0) <= this.offset) done++;
    if (done > 0) this.#origins.splice(0, done);
  }

  #reserve(length: number): void {
    if (this.#end + length <= this.#buffer.length) return;
    const held = this.#end - this.#start;
    let size = this.#buffer.length;
    while (size < held + length) size *= 2;
    if (size > this.#buffer.length || held > size / 2) {
      const larger = new Uint8Array(Math.max(size, held * 2));
      larger.set(this.#buffer.subarray(this.#start, this.#end));
      this.#buffer = larger;
      this.#view = viewOf(larger);
    } else this.#buffer.copyWithin(0, this.#start, this.#end);
    this.#start = 0;
    this.#end = held;
  }
}

function pick({ frame, seconds, nanoseconds }: Origin): Origin {
  return { frame, seconds, nanoseconds };
}
