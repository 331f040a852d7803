import type { Packet, PacketListener } from "./packet.js";

class CapturedPacket implements Packet {
  frame = 0;
  seconds = 0;
  nanoseconds = 0;
  linkType = 0;
  data: Uint8Array = new Uint8Array(0);
  originalLength = 0;
}

/** When something begins and ends, in whole seconds. */
export interface TimeSpan {
  readonly begin: number;
  readonly end: number;
}

/** Delivers the content of one capture file to a listener: numbers the frames and names the file. */
export class Delivery {
  readonly #file: string;
  readonly #listener: PacketListener;
  readonly #packet = new CapturedPacket();
  #frame: number;
  #packets = 0;
  #problems = 0;
  /** Time of the first packet, in whole seconds. */
  #begin = 0;

  /** @param lastFrame number of the last frame before this file: 0 for the first file of a run. */
  constructor(file: string, listener: PacketListener, lastFrame: number) {
    this.#file = file;
    this.#listener = listener;
    this.#frame = lastFrame;
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
    this.#frame++;
    if (this.#packets++ === 0) this.#begin = seconds;
    const packet = this.#packet;
    packet.frame = this.#frame;
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
  secrets(bytes: Uint8Array, kind: string, offset: number): void {
    this.#listener.secrets?.(bytes, this.#place(kind, offset));
  }

  /** Makes a remark on the given kind of block at a byte offset in the file. */
  remark(text: string, kind: string, offset: number): void {
    this.#listener.remark?.(`${this.#place(kind, offset)}: ${text}`);
  }

  #place(kind: string, offset: number): string {
    return `${this.#file} (${kind} block at offset ${offset})`;
  }

  /** Reports a problem at a byte offset in the file, after the last frame or in the given one. */
  problem(offset: number, text: string, frame = this.#frame): void {
    this.#problems++;
    this.#listener.problem({ file: this.#file, frame, offset, text });
  }
}
