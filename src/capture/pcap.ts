import { type GlobalHeader, type PacketHeader, type Parser, type PcapSource, parse } from "pcap-parser";
import type { Limits } from "../limits.js";
import type { Delivery } from "./delivery.js";
import { Gatherer } from "./gatherer.js";
import type { CaptureReader } from "./packet.js";
import { longestPacket } from "./packet-length.js";
import { Piece } from "./piece.js";
import { EXTRA_LENGTHS, findExtraLength, RECORD_HEADER_LENGTH } from "./record-variant.js";

/** Length of the file header in bytes (pcap draft, section 4). */
const FILE_HEADER_LENGTH = 24;
const MICROSECONDS = 0xa1b2c3d4;
const NANOSECONDS = 0xa1b23c4d;
const MODIFIED = 0xa1b2cd34;

const MAGIC_NUMBERS: ReadonlySet<number> = new Set([
  ...[MICROSECONDS, NANOSECONDS, MODIFIED],
  ...[0xd4c3b2a1, 0x4d3cb2a1, 0x34cdb2a1],
]);

/** True if the first four bytes of a file, read as a big-endian number, are those of a pcap file. */
export function isPcapMagic(magic: number): boolean {
  return MAGIC_NUMBERS.has(magic);
}

/** The version of all files today, 2.4, in the byte order of the file or in the other one. */
const VERSIONS: ReadonlySet<number> = new Set([0x0002_0004, 0x0004_0002, 0x0200_0400, 0x0400_0200]);

/** True if this is no header of a packet, but the beginning of a file that was appended, as `cat` does it. */
function isFileHeader(header: PacketHeader): boolean {
  const { timestampSeconds, timestampMicroseconds, capturedLength, originalLength } = header;
  // Time zone and accuracy, which are zero, are where a packet has its lengths.
  const isEmpty = capturedLength === 0 && originalLength === 0;
  return isEmpty && isPcapMagic(timestampSeconds) && VERSIONS.has(timestampMicroseconds);
}

/** Order of the two lengths of a packet; "swapped" is the original length first. */
type LengthOrder = "usual" | "swapped" | "guess";

/**
 * Version 2.3 swapped the two lengths, but some recorders wrote that version number before they swapped them; there the
 * captured length is the one that is not larger (libpcap, sf-pcap.c: pcap_check_header and pcap_next_packet).
 */
function lengthOrder(minorVersion: number): LengthOrder {
  if (minorVersion >= 4) return "usual";
  return minorVersion === 3 ? "guess" : "swapped";
}

/** As much of a stream as pcap-parser needs: by the time `data` returns, the packets have been delivered. */
class PieceSource implements PcapSource {
  readonly #listeners: ((bytes: Buffer | Piece) => void)[] = [];

  on(event: string, listener: (bytes: Buffer | Piece) => void): void {
    if (event === "data") this.#listeners.push(listener);
  }

  data(bytes: Buffer | Piece): void {
    for (const listener of this.#listeners) listener(bytes);
  }

  pause(): void {}
  resume(): void {}
}

/**
 * Reads the classic pcap format (draft-ietf-opsawg-pcap) with the package pcap-parser. This class does what the package
 * leaves to its user: it checks lengths before waiting for a body, notices a cut tail, understands nanosecond files,
 * variants of the format and old versions, and feeds bytes only when the package can use them, because the package copies all
 * that it holds for every piece it gets.
 */
export class PcapReader implements CaptureReader {
  readonly #delivery: Delivery;
  readonly #limits: Limits;
  readonly #source = new PieceSource();
  readonly #parser: Parser;
  readonly #gathered = new Gatherer();
  #headerRead = false;
  #stopped = false;
  #isLittleEndian = false;
  #linkType = 0;
  #snapLength = 0;
  #longest: number;
  /** Units of the fraction per second: a million, or a thousand million in files with nanoseconds. */
  #fractions = 1_000_000;
  /** Bytes between the header of a packet and its body, which the package takes for the beginning of the body. */
  #extra = 0;
  /** What that may be, as long as it is not known: the first records show it. */
  #variants: readonly [number, ...number[]] | undefined = EXTRA_LENGTHS.usual;
  #lengthOrder: LengthOrder = "usual";
  /** The package's header of the packet whose body is next; undefined if a header is next. */
  #record: PacketHeader | undefined;
  /** Offset in the file of the next record header, or of the current one's while its body is awaited. */
  #recordOffset = FILE_HEADER_LENGTH;
  /** Bytes the package needs in all before it can continue. */
  #needed = RECORD_HEADER_LENGTH;

  constructor(delivery: Delivery, limits: Limits) {
    this.#delivery = delivery;
    this.#limits = limits;
    this.#longest = limits.packetLength;
    this.#parser = parse(this.#source)
      .on("globalHeader", (header) => this.#onFileHeader(header))
      .on("packetHeader", (header) => this.#onRecordHeader(header))
      .on("packetData", (data) => this.#onBody(data.bytes))
      .on("error", (error) => this.#stop(0, `the pcap file header cannot be read: ${error.message}`));
  }

  /** What the file header says about the packets, once it has been read; a snap length of 0 is no limit. */
  get interface(): { readonly linkType: number; readonly snapLength: number } {
    return { linkType: this.#linkType, snapLength: this.#snapLength };
  }

  push(bytes: Uint8Array): boolean {
    let at = 0;
    while (at < bytes.length && !this.#stopped) {
      if (!this.#headerRead) at = this.#gatherFileHeader(bytes, at);
      else if (this.#variants !== undefined) at = this.#gatherRecords(bytes, at, this.#variants);
      else at = this.#feed(bytes, at);
    }
    return !this.#stopped;
  }

  end(): void {
    if (this.#stopped) return;
    const there = this.#gathered.length;
    if (!this.#headerRead) {
      this.#stop(0, `the file ends after ${there} of the ${FILE_HEADER_LENGTH} bytes of a pcap file header`);
      return;
    }
    if (this.#variants !== undefined) this.#settle(this.#variants, true);
    this.#endRecords();
  }

  #endRecords(): void {
    if (this.#stopped) return;
    const there = this.#gathered.length;
    const frame = this.#delivery.frame + 1;
    const offset = this.#recordOffset;
    const record = this.#record;
    const headerLength = RECORD_HEADER_LENGTH + this.#extra;
    if (record !== undefined && there >= this.#extra) {
      const of = `${there - this.#extra} of its ${record.capturedLength - this.#extra} bytes`;
      record.capturedLength = there;
      this.#emit(this.#gathered.bytes);
      this.#delivery.problem(offset, `the file ends inside frame ${frame}, after ${of}`, frame);
    } else if (there > 0 || record !== undefined) {
      const of = `${record === undefined ? there : RECORD_HEADER_LENGTH + there} of ${headerLength} bytes`;
      this.#delivery.problem(offset, `the file ends inside the header of frame ${frame}, after ${of}`, frame);
    }
  }

  #stop(offset: number, text: string, frame?: number): void {
    this.#stopped = true;
    this.#delivery.problem(offset, text, frame);
  }

  #gatherFileHeader(bytes: Uint8Array, at: number): number {
    const end = Math.min(bytes.length, at + FILE_HEADER_LENGTH - this.#gathered.length);
    this.#gathered.append(bytes, at, end);
    if (this.#gathered.length === FILE_HEADER_LENGTH) {
      this.#headerRead = true;
      const header = Buffer.from(this.#gathered.bytes);
      this.#gathered.clear();
      this.#hideVariant(header);
      this.#source.data(header);
    }
    return end;
  }

  /** Replaces the magic numbers of nanosecond and modified files, which the package refuses. */
  #hideVariant(header: Buffer): void {
    const view = new DataView(header.buffer, header.byteOffset, header.length);
    for (const little of [false, true]) {
      const magic = view.getUint32(0, little);
      if (magic === NANOSECONDS) {
        this.#fractions = 1_000_000_000;
        this.#variants = undefined;
      } else if (magic === MODIFIED) this.#variants = EXTRA_LENGTHS.modified;
      if (magic === NANOSECONDS || magic === MODIFIED) view.setUint32(0, MICROSECONDS, little);
    }
  }

  /** Keeps the first records until they show what is between header and body; returns how far `bytes` are used. */
  #gatherRecords(bytes: Uint8Array, at: number, variants: readonly [number, ...number[]]): number {
    this.#gathered.append(bytes, at, bytes.length);
    this.#settle(variants, false);
    return bytes.length;
  }

  /** Finds out what is between header and body, if the first records show it, and passes these records on. */
  #settle(variants: readonly [number, ...number[]], isEnd: boolean): void {
    const facts = { isLittleEndian: this.#isLittleEndian, longest: this.#longest };
    const extra = findExtraLength(this.#gathered.bytes, facts, variants, isEnd);
    if (extra === undefined) return;
    this.#extra = extra;
    this.#variants = undefined;
    const records = this.#gathered.bytes.slice();
    this.#gathered.clear();
    this.#feed(records, 0);
  }

  /** Gives the package its next piece, or keeps bytes that are not enough for it; returns how far `bytes` are used. */
  #feed(bytes: Uint8Array, at: number): number {
    const gathered = this.#gathered;
    if (gathered.length === 0) {
      const left = this.#emit(at === 0 ? bytes : bytes.subarray(at));
      gathered.append(bytes, bytes.length - left, bytes.length);
      return bytes.length;
    }
    const end = Math.min(bytes.length, at + this.#needed - gathered.length);
    gathered.append(bytes, at, end);
    if (gathered.length === this.#needed) {
      this.#emit(gathered.bytes);
      gathered.clear();
    }
    return end;
  }

  /** Gives the package a piece; returns how many bytes at its end it could not use yet. */
  #emit(piece: Uint8Array): number {
    const parser = this.#parser;
    // The bytes it holds are given to it again with those that complete them: otherwise the package copies both.
    parser.buffer = null;
    this.#source.data(Piece.of(piece, this.#isLittleEndian));
    return parser.buffer?.length ?? 0;
  }

  #onFileHeader(header: GlobalHeader): void {
    this.#isLittleEndian = this.#parser.endianness === "LE";
    this.#parser.endianness = "";
    const { majorVersion: major, minorVersion: minor } = header;
    if (major !== 2 || minor > 4) {
      this.#stop(0, `this is pcap version ${major}.${minor}; only versions 2.0 to 2.4 are supported`);
      return;
    }
    this.#lengthOrder = lengthOrder(minor);
    // The upper half is not the link type: it holds the length of the frame check sequence (pcap draft, section 4).
    this.#linkType = header.linkLayerType & 0xffff;
    this.#snapLength = header.snapshotLength;
    this.#longest = longestPacket(header.snapshotLength, this.#limits);
    // The variants that their first records tell apart all have version 2.4.
    if (minor < 4 && this.#variants !== undefined) {
      this.#extra = this.#variants[0];
      this.#variants = undefined;
    }
  }

  #onRecordHeader(header: PacketHeader): void {
    const frame = this.#delivery.frame + 1;
    if (isFileHeader(header)) {
      const advice = "join files with mergecap -a, or give each by itself";
      header.capturedLength = Number.POSITIVE_INFINITY;
      this.#stop(
        this.#recordOffset,
        `another pcap file begins in place of frame ${frame}; nothing after it can be read: ${advice}`,
        frame,
      );
      return;
    }
    if (this.#lengthOrder !== "usual") this.#orderLengths(header);
    if (header.capturedLength > this.#longest) {
      const claim = `claims ${header.capturedLength} captured bytes, more than the ${this.#longest} a packet may have`;
      // Set before the package reads it, which would otherwise go on after the body, or wait for it.
      header.capturedLength = Number.POSITIVE_INFINITY;
      this.#stop(this.#recordOffset, `frame ${frame} ${claim}; nothing after it can be read`, frame);
      return;
    }
    header.capturedLength += this.#extra;
    this.#record = header;
    this.#needed = header.capturedLength;
  }

  #orderLengths(header: PacketHeader): void {
    const { capturedLength, originalLength } = header;
    if (this.#lengthOrder === "guess" && capturedLength <= originalLength) return;
    header.capturedLength = originalLength;
    header.originalLength = capturedLength;
  }

  #onBody(data: Uint8Array): void {
    const record = this.#record;
    if (record === undefined) return;
    this.#record = undefined;
    this.#needed = RECORD_HEADER_LENGTH;
    this.#recordOffset += RECORD_HEADER_LENGTH + data.length;
    let seconds = record.timestampSeconds;
    let fraction = record.timestampMicroseconds;
    if (fraction >= this.#fractions) {
      // Some recorders leave whole seconds in the fraction.
      seconds += Math.floor(fraction / this.#fractions);
      fraction %= this.#fractions;
    }
    const nanoseconds = fraction * (1_000_000_000 / this.#fractions);
    const body = this.#extra === 0 ? data : data.subarray(this.#extra);
    this.#delivery.packet(seconds, nanoseconds, this.#linkType, body, record.originalLength);
  }
}
