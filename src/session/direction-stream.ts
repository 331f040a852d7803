import type { Origin } from "../network/conversation.js";
import { viewOf } from "../schema/nodes.js";
import type { Cipher } from "./dissector.js";

/** Least number of bytes that room is made for. */
const SMALLEST_BUFFER = 2048;

/**
 * Missing bytes that a cipher is taken across at most, all gaps together: more is a damaged capture, or one that is made
 * to cost time.
 */
const MOST_SKIPPED = 64 * 1024 * 1024;

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
  /** Whether anything is known to be wrong with a packet's checksum. */
  hasChecksums = false;
  /** Offset in the stream, gaps counted, of the current place. */
  offset = 0;
  #buffer = new Uint8Array(0);
  #view = viewOf(this.#buffer);
  #start = 0;
  #end = 0;
  #cipher: Cipher | undefined;
  /** Offset in the stream that the cipher stands at, and the missing bytes that it was taken across. */
  #cipherAt = 0;
  #skipped = 0;
  /** Offset in the stream behind the last message. */
  #messageEnd = 0;
  #abandoned = false;
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

  /** True if nothing that comes from here on can be dissected. */
  get abandoned(): boolean {
    return this.#abandoned;
  }

  /** True if what follows the last message is not there, or not wanted any more: what comes now stands behind it. */
  get broken(): boolean {
    return this.#abandoned || this.offset !== this.#messageEnd;
  }

  append(bytes: Uint8Array, origin: Origin): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#end);
    this.#decipher(this.#tail(), this.#end, this.#end + bytes.length);
    this.#end += bytes.length;
    this.received += bytes.length;
    if (origin.checksums !== undefined) this.hasChecksums = true;
    this.#origins.push({ ...pick(origin), until: this.#tail() });
  }

  appendGap(length: number, reason: "lost" | "cut", origin: Origin): void {
    this.#gaps.push({ offset: this.#tail(), length, reason });
    this.#origins.push({ ...pick(origin), until: this.#tail() });
  }

  /** Offset in the stream behind the last byte that has arrived. */
  #tail(): number {
    let missing = 0;
    for (const gap of this.#gaps) missing += gap.length;
    return this.offset + (this.#end - this.#start) + missing;
  }

  /** Lays a cipher over everything behind the last message. */
  decrypt(cipher: Cipher): void {
    this.#cipher = cipher;
    this.#cipherAt = this.#messageEnd;
    let from = this.#start;
    let offset = this.offset;
    for (const gap of this.#gaps) {
      const until = from + (gap.offset - offset);
      this.#decipher(offset, from, until);
      offset = gap.offset + gap.length;
      from = until;
    }
    this.#decipher(offset, from, this.#end);
  }

  /** Decrypts the bytes from `start` to `end` of the buffer, which stand at `offset` in the stream. */
  #decipher(offset: number, start: number, end: number): void {
    if (this.#cipher === undefined || this.#abandoned || start === end) return;
    const missing = offset - this.#cipherAt;
    this.#skipped += missing;
    if (this.#skipped > MOST_SKIPPED) {
      this.abandon();
      return;
    }
    // Only now that there are bytes behind the gap: most gaps have none.
    if (missing > 0) this.#cipher.skip(missing);
    this.#cipher.apply(this.#buffer, start, end);
    this.#cipherAt = offset + (end - start);
  }

  /** Nothing that comes from here on can be dissected: it is not decrypted any more. */
  abandon(): void {
    this.#abandoned = true;
  }

  /** Begins anew, as for the next datagram, once all of the last one is dealt with. */
  renew(): void {
    this.ended = false;
    this.#abandoned = false;
    while (this.#end > this.#start || this.gap !== undefined) {
      this.pass(this.end - this.#start);
      this.passGap();
    }
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

  /** Moves on by a message. */
  consume(length: number): void {
    this.pass(length);
    this.#messageEnd = this.offset;
  }

  /** Moves on by some bytes that are no message. */
  pass(length: number): void {
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
    let size = Math.max(this.#buffer.length, SMALLEST_BUFFER);
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

function pick({ frame, seconds, nanoseconds, checksums }: Origin): Origin {
  return checksums === undefined ? { frame, seconds, nanoseconds } : { frame, seconds, nanoseconds, checksums };
}
