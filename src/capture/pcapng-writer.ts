import { BLOCK_OVERHEAD, BlockType, BYTE_ORDER_MAGIC, PACKET_DATA, padding } from "./pcapng-blocks.js";

/** Bytes gathered before they are passed on: one large write costs less than many small ones. */
const GATHERED = 256 * 1024;

/** Type of the key logs that this program puts into a capture: "MOUL", which no other program is known to use. */
const SECRETS_TYPE = 0x4d4f554c;

const OPTION_COMMENT = 1;
const OPTION_APPLICATION = 4;
const OPTION_NAME = 2;
const OPTION_RESOLUTION = 9;
const NANOSECONDS = 9;

/** The latest time that a timestamp can hold: 64 bits of nanoseconds last until 2554. */
const LATEST = 0xffff_ffff_ffff_ffffn;

/** An interface that packets are recorded as captured on. */
interface WrittenInterface {
  /** LINKTYPE_* of the tcpdump registry. */
  readonly linkType: number;
  /** Most bytes captured of a packet; 0, the default, is no limit. */
  readonly snapLength?: number;
  readonly name?: string;
}

/** A packet to be written. */
export interface WrittenPacket {
  /** Time of capture: whole seconds since 1970 (UTC), and the rest. One that the format cannot hold becomes its first or last. */
  readonly seconds: number;
  readonly nanoseconds: number;
  /** The captured bytes, from the link header on. */
  readonly data: Uint8Array;
  /** Length on the wire. */
  readonly originalLength: number;
  readonly comment?: string | undefined;
}

/**
 * Writes a pcapng file of one section (draft-ietf-opsawg-pcapng), little-endian, with times in nanoseconds. Begin with
 * `section`; describe an interface before its packets.
 */
export class PcapngWriter {
  readonly #write: (bytes: Uint8Array) => void;
  #block = new Uint8Array(GATHERED);
  #view = new DataView(this.#block.buffer);
  #end = 0;

  /** @param write receives the file's bytes in order; they are valid only during the call. */
  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
  }

  /** Passes on the gathered bytes; has to be called at the end. */
  flush(): void {
    if (this.#end > 0) this.#write(this.#block.subarray(0, this.#end));
    this.#end = 0;
  }

  /** @param application the program that writes the file. @param comment on the file as a whole. */
  section(application: string, comment?: string): void {
    const options = comment === undefined ? [] : [option(OPTION_COMMENT, comment)];
    const body = new Uint8Array(16);
    const view = new DataView(body.buffer);
    view.setUint32(0, BYTE_ORDER_MAGIC, true);
    view.setUint16(4, 1, true);
    // The length of the section is not known.
    view.setBigInt64(8, -1n, true);
    this.#put(BlockType.section, [body, ...options, option(OPTION_APPLICATION, application), END_OF_OPTIONS]);
  }

  interface({ linkType, snapLength = 0, name }: WrittenInterface): void {
    const body = new Uint8Array(8);
    const view = new DataView(body.buffer);
    view.setUint16(0, linkType, true);
    view.setUint32(4, snapLength, true);
    const options = name === undefined ? [] : [option(OPTION_NAME, name)];
    options.push(option(OPTION_RESOLUTION, Uint8Array.of(NANOSECONDS)));
    this.#put(BlockType.interface, [body, ...options, END_OF_OPTIONS]);
  }

  /** @param interfaceNumber of the described interfaces, counted from 0. */
  packet({ seconds, nanoseconds, data, originalLength, comment }: WrittenPacket, interfaceNumber = 0): void {
    const options = comment === undefined ? NO_OPTIONS : commentOptions(comment);
    const length = PACKET_DATA + data.length + padding(data.length) + options.length + 4;
    this.#reserve(length);
    const [view, at] = [this.#view, this.#end];
    const time = BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
    // A damaged capture may have times that cannot be written.
    const ticks = time < 0n ? 0n : time > LATEST ? LATEST : time;
    view.setUint32(at, BlockType.enhancedPacket, true);
    view.setUint32(at + 4, length, true);
    view.setUint32(at + 8, interfaceNumber, true);
    view.setUint32(at + 12, Number(ticks >> 32n), true);
    view.setUint32(at + 16, Number(ticks & 0xffff_ffffn), true);
    view.setUint32(at + 20, data.length, true);
    view.setUint32(at + 24, originalLength, true);
    this.#block.set(data, at + PACKET_DATA);
    this.#block.fill(0, at + PACKET_DATA + data.length, at + length - 4);
    this.#block.set(options, at + length - 4 - options.length);
    view.setUint32(at + length - 4, length, true);
    this.#end += length;
  }

  /** Writes a key log, or whatever else is for this program alone, in a block that other readers skip. */
  keyLog(content: string | Uint8Array): void {
    this.#put(BlockType.secrets, secretsBody(content, true));
  }

  #put(type: number, parts: readonly Uint8Array[]): void {
    const bytes = blockOf(type, parts, true);
    this.#reserve(bytes.length);
    this.#block.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  #reserve(length: number): void {
    if (this.#end + length <= this.#block.length) return;
    this.flush();
    if (length <= this.#block.length) return;
    this.#block = new Uint8Array(length);
    this.#view = new DataView(this.#block.buffer);
  }
}

/**
 * Returns the decryption secrets block (pcapng draft, section 4.7) of a key log, for a section of either byte order.
 * Wireshark skips secrets of an unknown type and gives them no frame number, which it does give to a custom block.
 */
export function keyLogBlock(text: string, little: boolean): Uint8Array {
  return blockOf(BlockType.secrets, secretsBody(text, little), little);
}

function secretsBody(content: string | Uint8Array, little: boolean): readonly Uint8Array[] {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const head = new Uint8Array(8);
  const view = new DataView(head.buffer);
  view.setUint32(0, SECRETS_TYPE, little);
  view.setUint32(4, bytes.length, little);
  return [head, bytes, new Uint8Array(padding(bytes.length))];
}

/** Builds a block from parts whose total length is a multiple of four. */
function blockOf(type: number, parts: readonly Uint8Array[], little: boolean): Uint8Array {
  const length = BLOCK_OVERHEAD + parts.reduce((sum, part) => sum + part.length, 0);
  const block = new Uint8Array(length);
  const view = new DataView(block.buffer);
  view.setUint32(0, type, little);
  view.setUint32(4, length, little);
  let at = 8;
  for (const part of parts) {
    block.set(part, at);
    at += part.length;
  }
  view.setUint32(length - 4, length, little);
  return block;
}

const NO_OPTIONS = new Uint8Array(0);
const END_OF_OPTIONS = new Uint8Array(4);

/** A comment, and the end of the options. */
function commentOptions(comment: string): Uint8Array {
  const written = option(OPTION_COMMENT, comment);
  const options = new Uint8Array(written.length + END_OF_OPTIONS.length);
  options.set(written);
  return options;
}

function option(code: number, value: string | Uint8Array): Uint8Array {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  const written = new Uint8Array(4 + bytes.length + padding(bytes.length));
  const view = new DataView(written.buffer);
  view.setUint16(0, code, true);
  view.setUint16(2, bytes.length, true);
  written.set(bytes, 4);
  return written;
}
