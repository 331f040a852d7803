import type { Limits } from "../limits.js";
import { longestPacket } from "./packet-length.js";
import { type TickClock, tickClock } from "./timestamps.js";

/** Block types that are read (pcapng draft, section 11.1); all others are skipped. */
export const BlockType = {
  section: 0x0a0d0d0a,
  interface: 1,
  obsoletePacket: 2,
  simplePacket: 3,
  enhancedPacket: 6,
  secrets: 10,
  custom: 0xbad,
  /** A custom block that is not to be copied to another file. */
  customHere: 0x40000bad,
} as const;

/** Length of the parts of a block around its body: type and length before it, length after it. */
export const BLOCK_OVERHEAD = 12;

/** Number that shows the byte order of a section (pcapng draft, section 4.1). */
export const BYTE_ORDER_MAGIC = 0x1a2b3c4d;

/** Offset of the captured bytes in an enhanced or obsolete packet block, and in a simple one. */
export const PACKET_DATA = 28;
export const SIMPLE_PACKET_DATA = 12;
/** Offset of the data in a decryption secrets block: after their type and length. */
const SECRETS_DATA = 16;
/** Offset of the data in a custom block: after the number of the enterprise that defined it. */
const CUSTOM_DATA = 12;

const NAMES = new Map<number, string>([
  [BlockType.section, "section header"],
  [BlockType.interface, "interface description"],
  [BlockType.obsoletePacket, "obsolete packet"],
  [BlockType.simplePacket, "simple packet"],
  [4, "name resolution"],
  [5, "interface statistics"],
  [BlockType.enhancedPacket, "enhanced packet"],
  [9, "systemd journal export"],
  [0x204, "Sysdig event"],
  [0x216, "Sysdig event"],
  [0x221, "Sysdig event"],
  [BlockType.secrets, "decryption secrets"],
  [BlockType.custom, "custom"],
  [BlockType.customHere, "custom"],
]);

const FRAMES_WITHOUT_PACKET: ReadonlySet<number> = new Set([
  ...[9, 0x204, 0x216, 0x221],
  ...[BlockType.custom, BlockType.customHere],
]);

/** The kind of block that the given type is, in words. */
export function blockKind(type: number): string {
  return NAMES.get(type) ?? `unknown type 0x${type.toString(16)}`;
}

/** The name of a block of the given type in messages, without an article. */
export function blockName(type: number): string {
  return `block (${blockKind(type)})`;
}

/** Shortest total length of a block of the given type in bytes. */
export function shortestBlock(type: number): number {
  switch (type) {
    case BlockType.section:
      return BLOCK_OVERHEAD + 16;
    case BlockType.interface:
      return BLOCK_OVERHEAD + 8;
    case BlockType.enhancedPacket:
    case BlockType.obsoletePacket:
      return BLOCK_OVERHEAD + 20;
    case BlockType.simplePacket:
      return BLOCK_OVERHEAD + 4;
    default:
      return BLOCK_OVERHEAD;
  }
}

export function isPacketBlock(type: number): boolean {
  return type === BlockType.enhancedPacket || type === BlockType.obsoletePacket || type === BlockType.simplePacket;
}

/** Whether a block may hold key material. */
export function isSecretsBlock(type: number): boolean {
  return type === BlockType.secrets || type === BlockType.custom || type === BlockType.customHere;
}

/**
 * Whether Wireshark gives blocks of this type a frame number though they hold no packet: systemd journal entries,
 * Sysdig events and custom blocks (observed with Wireshark 4.0).
 */
export function countsAsFrame(type: number): boolean {
  return FRAMES_WITHOUT_PACKET.has(type);
}

/** Whether a block of this type and length has to be in memory as a whole; others are skipped. */
export function isHeld(type: number, length: number, limits: Limits): boolean {
  if (isPacketBlock(type) || type === BlockType.section || type === BlockType.interface) return true;
  return isSecretsBlock(type) && length <= limits.secretsLength;
}

/**
 * Returns the bytes of a block that may be key material (pcapng draft, sections 4.7 and 4.8); none if it is too short.
 * @param block the block from its type on, without the length at its end.
 */
export function secretsOf(type: number, block: Uint8Array, little: boolean): Uint8Array {
  if (type === BlockType.secrets) {
    if (block.length < SECRETS_DATA) return block.subarray(block.length);
    const length = viewOf(block).getUint32(SECRETS_DATA - 4, little);
    return block.subarray(SECRETS_DATA, SECRETS_DATA + length);
  }
  // Nothing says where the data of a custom block ends and its padding and options begin; no text ends with zeros.
  let end = block.length;
  while (end > CUSTOM_DATA && block[end - 1] === 0) end--;
  return block.subarray(CUSTOM_DATA, end);
}

/** What an interface description block says about the packets of its interface. */
export interface CaptureInterface {
  readonly linkType: number;
  /** Most bytes captured of a packet; 0 if there is no limit. */
  readonly snapLength: number;
  /** Longest captured length that is accepted. */
  readonly longest: number;
  readonly clock: TickClock;
}

/** if_tsresol where the option is missing: microseconds. */
const DEFAULT_RESOLUTION = 6;

/**
 * Reads an interface description block (pcapng draft, section 4.2).
 * @param block the block from its type on, without the length at its end.
 */
export function readInterface(block: Uint8Array, little: boolean, limits: Limits): CaptureInterface {
  const view = viewOf(block);
  const snapLength = view.getUint32(12, little);
  let resolution = DEFAULT_RESOLUTION;
  let offset = 0;
  let at = 16;
  while (at + 4 <= view.byteLength) {
    const code = view.getUint16(at, little);
    const length = view.getUint16(at + 2, little);
    const value = at + 4;
    if (code === 0 || value + length > view.byteLength) break;
    if (code === 9 && length >= 1) resolution = view.getUint8(value);
    if (code === 14 && length >= 8) offset = Number(view.getBigInt64(value, little));
    at = value + length + padding(length);
  }
  return {
    linkType: view.getUint16(8, little),
    snapLength,
    longest: longestPacket(snapLength, limits),
    clock: tickClock(resolution, offset),
  };
}

/** A view of the same bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Number of bytes that pad a length to the next multiple of four. */
export function padding(length: number): number {
  return -length & 3;
}
