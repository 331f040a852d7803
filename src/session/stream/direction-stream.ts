import type { Cipher } from "../../dissector/dissector.js";
import type { Limits } from "../../limits.js";
import type { GapReason, Origin } from "../../network/conversation.js";
import { Arrivals } from "./arrivals.js";
import { ByteQueue } from "./byte-queue.js";
import { type Gap, Gaps, NO_GAPS } from "./gaps.js";
import { OutOfOrderPackets } from "./out-of-order.js";
import type { PlaintextDirection } from "./plaintext.js";
import type { SkipAllowance } from "./skip-allowance.js";
import { StreamCipher } from "./stream-cipher.js";

/** How many bytes of memory a gap, a packet, or the origin of some bytes, counts as besides the bytes themselves. */
export const ENTRY_BYTES = 64;

/** A place among the readable bytes at which a packet begins. */
export interface PacketStart {
  readonly at: number;
  /** Length of the packet or gap before it. */
  readonly before: number;
}

/**
 * Why nothing more of a direction can be dissected: it was given up, it belongs to somebody else from here on, its
 * cipher threw an error, or more bytes are missing than its cipher, or all ciphers of the run together, may be advanced
 * over.
 */
type Abandonment = "given up" | "foreign" | "cipher failed" | "gaps too long" | "gaps of all too long";

/**
 * The bytes of one direction that have arrived and are not dissected yet: decrypted as soon as a cipher is known, with
 * the frame and time of each. They are readable up to the first gap; bytes after a gap become readable once the gap has
 * been skipped.
 */
export class DirectionStream {
  /** True if no more bytes will come. */
  ended = false;
  /** True if that is because the sender said so (FIN). */
  isClosed = false;
  /** True if a packet is known to have a wrong checksum. */
  hasChecksums = false;
  /** Offset of the current place in the stream, gaps counted. */
  offset = 0;
  /** Number of bytes that belong to somebody else. */
  foreignBytes = 0;
  /** The packets whose bytes have come, but not yet in order. */
  readonly outOfOrder = new OutOfOrderPackets();
  /** The bytes that have arrived, those after gaps included. */
  readonly #queue = new ByteQueue();
  #gaps = NO_GAPS;
  #cipher: StreamCipher | undefined;
  /** Offset in the stream after the last message, and after a gap across which dissection continued. */
  #messageEnd = 0;
  #resumedAt = 0;
  /** Length of the message that is being passed to the dissector. */
  #announced = 0;
  #abandoned: Abandonment | undefined;
  /** Where bytes came from. */
  readonly #arrivals = new Arrivals();
  #plaintext: PlaintextDirection | undefined;
  /** True once it is certain that no cipher, or no other one, will be applied to the bytes held and those to come. */
  #isSettled = false;

  /** @param allowance shared by all directions of a run */
  constructor(
    readonly limits: Pick<Limits, "cipherSkip">,
    readonly allowance: SkipAllowance,
  ) {}

  /** The buffer; its bytes from `start` to `end` are readable. */
  get bytes(): Uint8Array {
    return this.#queue.bytes;
  }

  get view(): DataView {
    return this.#queue.view;
  }

  get start(): number {
    return this.#queue.start;
  }

  /** End of the readable bytes: of all that have arrived, or of those before the first gap. */
  get end(): number {
    const { gap } = this;
    return gap === undefined ? this.#queue.end : this.start + (gap.offset - this.offset);
  }

  /** The gap that ends the readable bytes, if there is one. */
  get gap(): Gap | undefined {
    return this.#gaps.all[0];
  }

  /** Why nothing from here on can be dissected; undefined while it can. */
  get abandoned(): Abandonment | undefined {
    return this.#abandoned;
  }

  /** True if the bytes right after the last message are missing or no longer wanted, so that later ones come now. */
  get broken(): boolean {
    return this.#abandoned !== undefined || (this.offset !== this.#messageEnd && this.offset !== this.#resumedAt);
  }

  /** The gap at the beginning of the stream, while nothing of it has been consumed or skipped. */
  get #leading(): Gap | undefined {
    const { gap } = this;
    return this.offset === 0 && gap?.offset === 0 ? gap : undefined;
  }

  /** True if the first bytes of the stream are missing. */
  get beginsWithGap(): boolean {
    return this.#leading !== undefined;
  }

  /** The bytes after the last message, up to the next gap; if the stream begins with a gap, those after it. */
  get pending(): Uint8Array {
    const leading = this.#leading;
    if (leading === undefined || this.broken) {
      return this.bytes.subarray(this.start, this.broken ? this.start : this.end);
    }
    const next = this.#gaps.all[1];
    const end = next === undefined ? this.#queue.end : this.start + (next.offset - leading.length);
    return this.bytes.subarray(this.start, end);
  }

  /** True if nothing will be added to `pending`. */
  get isPendingAll(): boolean {
    return this.ended || this.broken || this.#gaps.all.length > (this.#leading === undefined ? 0 : 1);
  }

  append(bytes: Uint8Array, origin: Origin): void {
    this.allowance.received(bytes.length);
    const offset = this.#tail();
    this.#queue.append(bytes);
    if (origin.checksums !== undefined) this.hasChecksums = true;
    if (this.#abandoned === "foreign") this.foreignBytes += bytes.length;
    this.outOfOrder.appended(bytes.length, origin);
    this.#arrivals.add(origin, offset + bytes.length);
    this.#plaintext?.received(bytes.length, origin);
    const { end } = this.#queue;
    this.#decipher(offset, end - bytes.length, end);
    if (this.#isSettled) this.#report(this.#tail());
  }

  appendGap(length: number, reason: GapReason, origin: Origin): void {
    if (this.#gaps === NO_GAPS) this.#gaps = new Gaps();
    this.#gaps.add({ offset: this.#tail(), length, reason });
    this.#arrivals.add(origin, this.#tail());
    this.#plaintext?.received(length, origin, reason);
    if (this.#isSettled) this.#report(this.#tail());
  }

  /** Attaches a plaintext listener. It is given all bytes in their final form, so none may have been consumed yet. */
  reportTo(plaintext: PlaintextDirection): void {
    this.#plaintext = plaintext;
    const gaps = new Map(this.#gaps.all.map(({ offset, reason }) => [offset, reason]));
    let at = this.offset;
    for (const { origin, until } of this.#arrivals.all) {
      const length = until - at;
      plaintext.received(length, origin, length === 0 ? undefined : gaps.get(at));
      at = until;
    }
    if (this.#isSettled) this.#report(at);
  }

  /** Notes that no cipher will be applied to the bytes held and those to come. */
  settle(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#report(this.#tail());
  }

  /** Passes everything before an offset in the stream to the plaintext listener: it is settled. */
  #report(until: number): void {
    this.#plaintext?.report(until, this.#queue.bytes, this.#queue.end);
  }

  /** Offset in the stream after the last byte that has arrived. */
  #tail(): number {
    return this.offset + this.#queue.length + this.#gaps.missing;
  }

  /**
   * Memory taken by bytes that are not dissected yet, in bytes: the bytes themselves, including those after gaps, and
   * an entry for each packet and gap.
   */
  get held(): number {
    const entries = this.#gaps.all.length + this.#arrivals.all.length;
    return entries === 0 ? 0 : this.#queue.length + entries * ENTRY_BYTES;
  }

  /** Notes that the next `length` bytes are a message that is being passed to the dissector. */
  announce(length: number): void {
    this.#announced = length;
  }

  /** Applies a cipher to everything after the last message, whether consumed or being announced. */
  decrypt(cipher: Cipher): void {
    const begin = this.#announced > 0 ? this.offset + this.#announced : this.#messageEnd;
    this.#cipher = new StreamCipher(cipher, begin, this.limits.cipherSkip, this.allowance);
    let from = this.start + this.#announced;
    let offset = this.offset + this.#announced;
    for (const gap of this.#gaps.all) {
      const until = from + (gap.offset - offset);
      this.#decipher(offset, from, until);
      offset = gap.offset + gap.length;
      from = until;
    }
    this.#decipher(offset, from, this.#queue.end);
    this.settle();
  }

  /** Decrypts the bytes from `start` to `end` of the buffer, which are at `offset` in the stream. */
  #decipher(offset: number, start: number, end: number): void {
    // A plaintext listener also needs the bytes that are no longer dissected.
    const isUnread = this.#abandoned !== undefined && this.#plaintext === undefined;
    if (this.#cipher === undefined || isUnread || start === end) return;
    const obstacle = this.#cipher.apply(this.#queue.bytes, start, end, offset);
    if (obstacle !== undefined) this.abandon(obstacle);
  }

  /** Ends dissection at the current place: bytes are decrypted only for a plaintext listener from here on. */
  abandon(why: Abandonment = "given up"): void {
    this.#abandoned = why;
    if (why !== "given up") this.#cipher = undefined;
    if (why === "foreign") {
      this.foreignBytes += this.#queue.length;
      this.#plaintext?.leave(this.offset);
    }
    this.settle();
  }

  /** Continues dissection at the current place, after a gap, as if the last message ended here. */
  resume(): void {
    this.#resumedAt = this.offset;
  }

  /** Starts over for the next datagram, once the last one has been dealt with completely. */
  renew(): void {
    this.ended = false;
    this.#abandoned = undefined;
    // Nothing has consumed a datagram without bytes.
    this.#arrivals.drop(this.offset);
  }

  /** The origin of the next byte, or of the gap before it; undefined if there is none. */
  get next(): Origin | undefined {
    return this.#arrivals.soleOrigin(this.offset + 1);
  }

  /** The origin of the last bytes, or of a gap after them; undefined if there are none. */
  get last(): Origin | undefined {
    return this.#arrivals.all.at(-1)?.origin;
  }

  /** The origin of the next `length` bytes, if they came in one packet. */
  soleOrigin(length: number): Origin | undefined {
    return this.#arrivals.soleOrigin(this.offset + length);
  }

  /** The origins of the next `length` bytes, in the order of the stream. */
  originsOf(length: number): readonly Origin[] {
    return this.#arrivals.origins(this.offset + length);
  }

  /** Where packets begin among the readable bytes. */
  packetStarts(): PacketStart[] {
    const toBuffer = this.start - this.offset;
    const starts = this.#arrivals.starts(this.offset, this.end - toBuffer);
    return starts.map(({ offset, before }) => ({ at: offset + toBuffer, before }));
  }

  /** Moves past a message. */
  consume(length: number): void {
    this.skipBytes(length);
    this.#messageEnd = this.offset;
  }

  /** Moves past bytes that are not a message. */
  skipBytes(length: number): void {
    this.#report(this.offset + length);
    this.#queue.skipBytes(length);
    this.offset += length;
    this.#announced = 0;
    this.#arrivals.drop(this.offset);
  }

  /** Moves past the gap at the current place. */
  skipGap(): void {
    const gap = this.#gaps.takeFirst();
    if (gap === undefined) return;
    this.#report(gap.offset + gap.length);
    this.offset += gap.length;
    this.#arrivals.drop(this.offset);
  }
}
