import type { Limits } from "../limits.js";
import type { Delivery } from "./delivery.js";
import { Gatherer } from "./gatherer.js";
import type { CaptureReader } from "./packet.js";
import {
  BLOCK_OVERHEAD,
  BlockType,
  BYTE_ORDER_MAGIC,
  blockKind,
  blockName,
  type CaptureInterface,
  countsAsFrame,
  isHeld,
  isPacketBlock,
  isSecretsBlock,
  PACKET_DATA,
  padding,
  readInterface,
  SIMPLE_PACKET_DATA,
  secretsOf,
  shortestBlock,
  viewOf,
} from "./pcapng-blocks.js";

/** Length of the total length field, which a block has at both ends. */
const LENGTH_FIELD = 4;
/** Type and total length. */
const BLOCK_START = 8;
/** Type, total length and the byte-order magic that shows how to read the total length. */
const SECTION_START = 12;

/** Time of simple packets, for which the pcapng draft says "no timestamp": 1970. */
const NO_TIME = 0;

/**
 * Reads pcapng (draft-ietf-opsawg-pcapng), given a file that begins with the type of a section header. A block within
 * one pushed chunk is read in place; only one that spans chunks is copied, and one that is skipped never is.
 */
export class PcapngReader implements CaptureReader {
  readonly #delivery: Delivery;
  readonly #limits: Limits;
  readonly #gathered = new Gatherer();
  #stopped = false;
  /** Offset in the file of the current block, and its type and length once they are known. */
  #blockOffset = 0;
  #type = 0;
  #length = 0;
  /** Bytes of padding that the block has, but does not count, and whether there has been a remark on that. */
  #uncounted = 0;
  #isRemarked = false;
  /** Whether the current block has to be in memory as a whole. */
  #held = false;
  /** Bytes of the current block that are needed for the next step. */
  #needed = BLOCK_START;
  /** Bytes of a skipped block still to be passed over; its length field then ends it. */
  #skip = 0;
  #skipping = false;
  #little = false;
  #interfaces: CaptureInterface[] = [];
  /** Whether the section has had a packet. */
  #hasPackets = false;

  constructor(delivery: Delivery, limits: Limits) {
    this.#delivery = delivery;
    this.#limits = limits;
  }

  push(bytes: Uint8Array): boolean {
    const view = viewOf(bytes);
    let at = 0;
    while (at < bytes.length && !this.#stopped) {
      if (this.#skip > 0) {
        const passed = Math.min(this.#skip, bytes.length - at);
        this.#skip -= passed;
        at += passed;
      } else if (this.#gathered.length === 0 && bytes.length - at >= this.#needed) {
        at += this.#step(bytes, view, at);
      } else at = this.#gather(bytes, at);
    }
    return !this.#stopped;
  }

  /** Copies what is still needed for the next step, as far as it is there, and takes the step; returns where it ends. */
  #gather(bytes: Uint8Array, at: number): number {
    const gathered = this.#gathered;
    const end = Math.min(bytes.length, at + this.#needed - gathered.length);
    gathered.append(bytes, at, end);
    const isComplete = gathered.length === this.#needed;
    if (isComplete && this.#step(gathered.bytes, viewOf(gathered.bytes), 0) > 0) gathered.clear();
    return end;
  }

  end(): void {
    const there = this.#gathered.length;
    if (this.#skipping) {
      const missing = this.#skip + this.#needed - there;
      this.#reportCut(this.#total - missing, this.#total, blockName(this.#type));
    } else if (there > 0) {
      const bytes = this.#gathered.bytes;
      if (this.#length === 0) this.#reportCut(there, this.#needed, "block's first fields");
      else if (!this.#deliverCut(bytes)) this.#reportCut(there, this.#total, blockName(this.#type));
    }
  }

  #reportCut(there: number, length: number, what: string): void {
    this.#delivery.problem(this.#blockOffset, `the file ends inside a ${what}, after ${there} of ${length} bytes`);
  }

  /** Delivers what the file still has of the last packet; false if that is not enough for a packet. */
  #deliverCut(bytes: Uint8Array): boolean {
    const type = this.#type;
    if (!isPacketBlock(type) || bytes.length < (type === BlockType.simplePacket ? SIMPLE_PACKET_DATA : PACKET_DATA))
      return false;
    const frame = this.#delivery.frame + 1;
    const text = `the file ends inside the block of frame ${frame}, after ${bytes.length} of ${this.#total} bytes`;
    if (this.#packet(bytes, viewOf(bytes), 0, bytes.length)) this.#delivery.problem(this.#blockOffset, text, frame);
    return true;
  }

  /** Reports why nothing from here on can be read. */
  #stop(text: string, frame?: number): false {
    this.#stopped = true;
    this.#delivery.problem(this.#blockOffset, text, frame);
    return false;
  }

  /**
   * Processes the `#needed` bytes at `at`.
   *
   * @returns how many of them were used; 0 if more are needed, as `#needed` then says, or if nothing more can be read
   */
  #step(bytes: Uint8Array, view: DataView, at: number): number {
    if (this.#skipping) return bytes.length - at < this.#needed ? 0 : this.#finish(view, at);
    if (this.#length === 0) {
      if (view.getUint32(at) === BlockType.section && bytes.length - at < SECTION_START) {
        this.#needed = SECTION_START;
        return 0;
      }
      if (!this.#readBlockStart(view, at)) return 0;
      if (!this.#held) {
        this.#skipping = true;
        this.#skip = this.#length - BLOCK_OVERHEAD;
        this.#needed = LENGTH_FIELD;
        return BLOCK_START;
      }
      this.#needed = this.#length;
    }
    const end = this.#needed;
    if (bytes.length - at < end) return 0;
    if (!this.#endsWith(view.getUint32(at + end - LENGTH_FIELD, this.#little))) return this.#finish(view, at);
    return this.#block(bytes, view, at) ? this.#finish(view, at) : 0;
  }

  /** Ends the block with the second copy of its length, the last of the needed bytes at `at`. */
  #finish(view: DataView, at: number): number {
    const used = this.#needed;
    const second = view.getUint32(at + used - LENGTH_FIELD, this.#little);
    if (!this.#endsWith(second)) {
      if (this.#uncounted === 0 && padding(this.#length) > 0) {
        // Some recorders pad the block without counting that (so does Wireshark take them, wiretap/pcapng.c).
        this.#uncounted = padding(this.#length);
        this.#needed += this.#uncounted;
        return 0;
      }
      const name = blockName(this.#type);
      const last = view.getUint32(at + used - this.#uncounted - LENGTH_FIELD, this.#little);
      this.#stop(
        `the ${name} begins with length ${this.#length} and ends with length ${last}; nothing after it can be read`,
      );
      return 0;
    }
    const shorter = Math.min(second, this.#length);
    if (padding(shorter) > 0 && !this.#isRemarked && shorter < this.#total) {
      this.#isRemarked = true;
      const text = `its length of ${shorter} bytes leaves out padding; such blocks are read with it`;
      this.#delivery.remark(text, blockKind(this.#type), this.#blockOffset);
    }
    this.#blockOffset += this.#total;
    this.#skipping = false;
    this.#length = 0;
    this.#uncounted = 0;
    this.#needed = BLOCK_START;
    return used;
  }

  /** Whether the current block can end with this length: the same, except that either may leave out the padding. */
  #endsWith(second: number): boolean {
    return second + padding(second) === this.#length + padding(this.#length);
  }

  /** Length of the current block in the file. */
  get #total(): number {
    return this.#length + this.#uncounted;
  }

  /**
   * Reads type and length; for a section header also the byte order, which is needed to read the length.
   *
   * @returns false if nothing more can be read, as do the methods below
   */
  #readBlockStart(view: DataView, at: number): boolean {
    const type = view.getUint32(at, this.#little);
    if (type === BlockType.section) {
      const little = view.getUint32(at + 8, true) === BYTE_ORDER_MAGIC;
      if (!little && view.getUint32(at + 8, false) !== BYTE_ORDER_MAGIC) {
        return this.#stop("a section header does not show its byte order; nothing from there on can be read");
      }
      this.#little = little;
    }
    const length = view.getUint32(at + 4, this.#little);
    const shortest = shortestBlock(type);
    const held = isHeld(type, length, this.#limits);
    const longest = held ? this.#limits.blockLength : Number.POSITIVE_INFINITY;
    if (length < shortest || length > longest) {
      const bound = length < shortest ? `fewer than the ${shortest} it must` : `more than the ${longest} it may`;
      return this.#stop(`the ${blockName(type)} claims ${length} bytes, ${bound} have; nothing after it can be read`);
    }
    this.#type = type;
    this.#length = length;
    this.#held = held;
    if (!held && isSecretsBlock(type)) {
      const most = this.#limits.secretsLength;
      this.#delivery.remark(
        `its ${length} bytes exceed the limit of ${most} and are not searched for keys`,
        blockKind(type),
        this.#blockOffset,
      );
    }
    if (countsAsFrame(type)) this.#delivery.skipFrame();
    return true;
  }

  #block(bytes: Uint8Array, view: DataView, at: number): boolean {
    const type = this.#type;
    if (isPacketBlock(type)) return this.#packet(bytes, view, at, this.#total - LENGTH_FIELD);
    if (type === BlockType.section) return this.#section(view, at);
    const block = bytes.subarray(at, at + this.#total - LENGTH_FIELD);
    if (type === BlockType.interface) {
      if (this.#interfaces.length >= this.#limits.interfaces) {
        return this.#stop(`the section describes more interfaces than the limit of ${this.#limits.interfaces}`);
      }
      this.#interfaces.push(readInterface(block, this.#little, this.#limits));
      return true;
    }
    const secrets = secretsOf(type, block, this.#little);
    if (secrets.length > 0) this.#delivery.secrets(secrets, blockKind(type), this.#blockOffset, this.#hasPackets);
    return true;
  }

  #section(view: DataView, at: number): boolean {
    const major = view.getUint16(at + 12, this.#little);
    const minor = view.getUint16(at + 14, this.#little);
    // Minor version 2 was written by mistake and is to be taken as 0 (pcapng draft, section 4.1).
    if (major !== 1 || (minor !== 0 && minor !== 2)) {
      return this.#stop(`this section is pcapng version ${major}.${minor}; only version 1.0 is supported`);
    }
    this.#interfaces = [];
    this.#hasPackets = false;
    return true;
  }

  /** Delivers the packet of the block at `at`, as much of it as is in the `length` available bytes. */
  #packet(bytes: Uint8Array, view: DataView, at: number, length: number): boolean {
    const little = this.#little;
    const simple = this.#type === BlockType.simplePacket;
    const obsolete = this.#type === BlockType.obsoletePacket;
    const index = simple ? 0 : obsolete ? view.getUint16(at + 8, little) : view.getUint32(at + 8, little);
    const from = this.#interfaces[index];
    const frame = this.#delivery.frame + 1;
    if (from === undefined) {
      const known = this.#interfaces.length;
      return this.#stop(
        `frame ${frame} refers to interface ${index}, but the section has described only ${known}`,
        frame,
      );
    }
    const dataAt = simple ? SIMPLE_PACKET_DATA : PACKET_DATA;
    const room = this.#total - LENGTH_FIELD - dataAt;
    const originalLength = view.getUint32(at + (simple ? 8 : 24), little);
    // A simple packet does not say how much was captured (pcapng draft, section 4.4).
    const claimed = simple ? simpleLength(originalLength, from.snapLength, room) : view.getUint32(at + 20, little);
    const longest = Math.min(room, from.longest);
    if (claimed > longest) {
      const bound = `more than the ${longest} it may have`;
      return this.#stop(
        `frame ${frame} claims ${claimed} captured bytes, ${bound}; nothing after it can be read`,
        frame,
      );
    }
    this.#hasPackets = true;
    const start = at + dataAt;
    const data = bytes.subarray(start, start + Math.min(claimed, length - dataAt));
    if (simple) {
      this.#delivery.packet(NO_TIME, NO_TIME, from.linkType, data, originalLength);
    } else {
      const clock = from.clock;
      clock.read(view.getUint32(at + 12, little), view.getUint32(at + 16, little));
      this.#delivery.packet(clock.seconds, clock.nanoseconds, from.linkType, data, originalLength);
    }
    return true;
  }
}

function simpleLength(originalLength: number, snapLength: number, room: number): number {
  const captured = snapLength === 0 ? originalLength : Math.min(originalLength, snapLength);
  return Math.min(captured, room);
}
