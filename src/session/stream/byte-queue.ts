import { acquireBuffer, NO_BUFFER, releaseBuffer } from "./buffers.js";

/**
 * Bytes that are added at one end and passed at the other. There may be very many queues, two for each conversation:
 * only those that hold bytes have a buffer.
 */
export class ByteQueue {
  #buffer = NO_BUFFER;
  #start = 0;
  #end = 0;

  /** The buffer: its bytes from `start` to `end` are those in the queue. */
  get bytes(): Uint8Array {
    return this.#buffer.bytes;
  }

  get view(): DataView {
    return this.#buffer.view;
  }

  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#end;
  }

  get length(): number {
    return this.#end - this.#start;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** Moves past the first bytes. */
  skipBytes(length: number): void {
    this.#start += length;
    if (this.#start !== this.#end) return;
    this.#start = 0;
    this.#end = 0;
    releaseBuffer(this.#buffer);
    this.#buffer = NO_BUFFER;
  }

  /** Makes room for more bytes, for which those in the queue may move to the start of the buffer or to a larger one. */
  #reserve(length: number): void {
    const { bytes } = this.#buffer;
    if (this.#end + length <= bytes.length) return;
    const held = this.length;
    if (held === 0) this.#buffer = acquireBuffer(length);
    else if (held + length > bytes.length || held > bytes.length / 2) {
      const larger = acquireBuffer(Math.max(held + length, held * 2));
      larger.bytes.set(bytes.subarray(this.#start, this.#end));
      releaseBuffer(this.#buffer);
      this.#buffer = larger;
    } else bytes.copyWithin(0, this.#start, this.#end);
    this.#start = 0;
    this.#end = held;
  }
}
