import { closeSync, openSync, writeSync } from "node:fs";

const BLOCK = 1024 * 1024;
const RECORD = 16;
const HEADERS = 14 + 20 + 20;
const CLIENT_ADDRESS = 0x0a00_0000;
const SERVER_ADDRESS = 0xc0a8_0001;
const SNAP_LENGTH = 262_144;
const ETHERNET = 1;

/** Bits of the TCP flags. */
export const Flag = { fin: 1, syn: 2, push: 8, ack: 16 } as const;

interface Segment {
  readonly sequence: number;
  readonly acknowledgment: number;
  readonly flags: number;
  readonly payload?: Uint8Array;
}

/** Writes a pcap file of TCP segments, block by block, so that it can be of any size. */
export class CaptureWriter {
  bytes = 0;
  packets = 0;
  readonly #file: number | undefined;
  readonly #block = Buffer.alloc(BLOCK);
  #filled = 0;
  #microseconds = 1_763_614_800_000_000;

  /** @param path undefined if the file is not wanted */
  constructor(path: string | undefined) {
    this.#file = path === undefined ? undefined : openSync(path, "w");
    const block = this.#block;
    block.writeUInt32LE(0xa1b2c3d4, 0);
    block.writeUInt16LE(2, 4);
    block.writeUInt16LE(4, 6);
    block.writeUInt32LE(SNAP_LENGTH, 16);
    block.writeUInt32LE(ETHERNET, 20);
    this.#filled = 24;
    this.bytes = 24;
  }

  /** The time of the next packet, in microseconds since 1970. */
  get time(): number {
    return this.#microseconds;
  }

  /** Advances the time. */
  wait(microseconds: number): void {
    this.#microseconds += microseconds;
  }

  /**
   * @param end the end that sends: 0 is the client
   * @param ports of the client and the server; the client's port also determines its address
   */
  segment(
    end: 0 | 1,
    ports: readonly [number, number],
    { sequence, acknowledgment, flags, payload = new Uint8Array(0) }: Segment,
  ): void {
    const length = HEADERS + payload.length;
    if (this.#filled + RECORD + length > BLOCK) this.#flush();
    const block = this.#block;
    let at = this.#filled;
    block.writeUInt32LE(Math.floor(this.#microseconds / 1e6), at);
    block.writeUInt32LE(this.#microseconds % 1e6, at + 4);
    block.writeUInt32LE(length, at + 8);
    block.writeUInt32LE(length, at + 12);
    at += RECORD;
    block.fill(0, at, at + HEADERS);
    block.writeUInt16BE(0x0800, at + 12);
    const ip = at + 14;
    block[ip] = 0x45;
    block.writeUInt16BE(length - 14, ip + 2);
    block[ip + 6] = 0x40;
    block[ip + 8] = 64;
    block[ip + 9] = 6;
    const addresses = [CLIENT_ADDRESS + (ports[0] & 0xffff), SERVER_ADDRESS];
    block.writeUInt32BE(addresses[end] ?? 0, ip + 12);
    block.writeUInt32BE(addresses[1 - end] ?? 0, ip + 16);
    const tcp = ip + 20;
    block.writeUInt16BE(ports[end], tcp);
    block.writeUInt16BE(ports[end === 0 ? 1 : 0], tcp + 2);
    block.writeUInt32BE(sequence >>> 0, tcp + 4);
    block.writeUInt32BE(acknowledgment >>> 0, tcp + 8);
    block[tcp + 12] = 0x50;
    block[tcp + 13] = flags;
    block.writeUInt16BE(0xffff, tcp + 14);
    block.set(payload, tcp + 20);
    this.#filled = at + length;
    this.bytes += RECORD + length;
    this.packets++;
  }

  close(): void {
    this.#flush();
    if (this.#file !== undefined) closeSync(this.#file);
  }

  #flush(): void {
    const file = this.#file;
    for (let at = 0; file !== undefined && at < this.#filled; ) {
      at += writeSync(file, this.#block, at, this.#filled - at);
    }
    this.#filled = 0;
  }
}
