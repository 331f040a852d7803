import type { CaptureFile, Packet, PacketListener } from "./packet.js";

class CapturedPacket implements Packet {
  frame = 0;
  seconds = 0;
  nanoseconds = 0;
  linkType = 0;
  data: Uint8Array = new Uint8Array(0);
  originalLength = 0;

  constructor(readonly capture: CaptureFile) {}
}

/** When something begins and ends, in whole seconds. */
export interface TimeSpan {
  readonly begin: number;
  readonly end: number;
}

/**
 * Delivers the content of one capture file to a listener: numbers the frames and names the file. While the listener has
 * no room, everything waits, in order.
 */
export class Delivery {
  readonly #file: string;
  readonly #listener: PacketListener;
  readonly #isFull: () => boolean;
  readonly #packet: CapturedPacket;
  #frame: number;
  #packets = 0;
  #problems = 0;
  /** Time of the first packet, in whole seconds. */
  #begin = 0;
  /** What waits for room, in order, and which of it is next. */
  #waiting: (() => void)[] = [];
  #next = 0;

  /**
   * @param lastFrame number of the last frame before this file: 0 for the first file of a run.
   * @param isFull asked before each packet: whether it has to wait.
   * @param index which of the files of the run it is, from 0
   */
  constructor(file: string, listener: PacketListener, lastFrame: number, isFull = () => false, index = 0) {
    // What is said about a packet does not depend on where its file lies.
    this.#packet = new CapturedPacket({ name: file.replace(/^.*[/\\]/s, ""), index });
    this.#file = file;
    this.#listener = listener;
    this.#isFull = isFull;
    this.#frame = lastFrame;
  }

  /** Whether anything waits for room. */
  get isBehind(): boolean {
    return this.#next < this.#waiting.length;
  }

  /** Delivers what waits until there is no more room; at least one thing, so that repeated calls come to an end. */
  catchUp(): void {
    do this.#waiting[this.#next++]?.();
    while (this.isBehind && !this.#isFull());
    if (this.isBehind) return;
    this.#waiting = [];
    this.#next = 0;
  }

  /** Number of the last frame delivered, or of the last one before this file. */
  get frame(): number {
    return this.#frame;
  }

  /** Number of packets delivered from this file. */
  get packets(): number {
    return this.#packets;
  }

  /** The times of the first packet and of the last one so far, in whole seconds; undefined if there is none. */
  get span(): TimeSpan | undefined {
    return this.#packets === 0 ? undefined : { begin: this.#begin, end: this.#packet.seconds };
  }

  /** Number of problems reported for this file. */
  get problems(): number {
    return this.#problems;
  }

  /** Delivers the next packet. One object serves all packets, see `Packet`. */
  packet(seconds: number, nanoseconds: number, linkType: number, data: Uint8Array, originalLength: number): void {
    const frame = ++this.#frame;
    if (this.#packets++ === 0) this.#begin = seconds;
    if (this.isBehind || this.#isFull()) {
      const copy = new Uint8Array(data);
      this.#waiting.push(() => this.#deliver(frame, seconds, nanoseconds, linkType, copy, originalLength));
    } else this.#deliver(frame, seconds, nanoseconds, linkType, data, originalLength);
  }

  #deliver(
    frame: number,
    seconds: number,
    nanoseconds: number,
    linkType: number,
    data: Uint8Array,
    originalLength: number,
  ): void {
    const packet = this.#packet;
    packet.frame = frame;
    packet.seconds = seconds;
    packet.nanoseconds = nanoseconds;
    packet.linkType = linkType;
    packet.data = data;
    packet.originalLength = originalLength;
    this.#listener.packet(packet);
  }

  /** Skips a frame number: Wireshark gives one to some things that are not packets. */
  skipFrame(): void {
    this.#frame++;
  }

  /** Delivers possible key material from the given kind of block at a byte offset in the file. */
  secrets(bytes: Uint8Array, kind: string, offset: number, isLate: boolean): void {
    const place = this.#place(kind, offset);
    if (!this.isBehind) this.#listener.secrets?.(bytes, place, isLate);
    else {
      const copy = new Uint8Array(bytes);
      this.#waiting.push(() => this.#listener.secrets?.(copy, place, isLate));
    }
  }

  /** Makes a remark on the given kind of block at a byte offset in the file. */
  remark(text: string, kind: string, offset: number): void {
    const sentence = `${this.#place(kind, offset)}: ${text}`;
    this.#inOrder(() => this.#listener.remark?.(sentence));
  }

  #inOrder(deliver: () => void): void {
    if (this.isBehind) this.#waiting.push(deliver);
    else deliver();
  }

  #place(kind: string, offset: number): string {
    return `${this.#file} (${kind} block at offset ${offset})`;
  }

  /** Reports a problem at a byte offset in the file, after the last frame or in the given one. */
  problem(offset: number, text: string, frame = this.#frame): void {
    this.#inOrder(() => {
      this.#problems++;
      this.#listener.problem({ file: this.#file, frame, offset, text });
    });
  }
}
