import { closeSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { basename, dirname } from "node:path";

/** In how many files the recording is: the oldest is removed for a new one, so that most of the size is always there. */
const FILES = 4;
/** Bytes before the first packet of a pcap file, and before the bytes of a packet. */
const FILE_HEADER = 24;
const PACKET_HEADER = 16;
/** Where the header of a packet says how many bytes of it there are. */
const LENGTH_AT = 8;
/** How a file begins whose numbers have their low byte first, with times in microseconds or nanoseconds. */
const LITTLE_ENDIAN: ReadonlySet<number> = new Set([0xa1b2c3d4, 0xa1b23c4d]);

/** Keeps the last part of a recording on disk, as pcap files that can be read on their own. */
export class Ring {
  readonly #mostBytes: number;
  /** What is before the number of a file, and after it. */
  readonly #stem: string;
  readonly #ending: string;
  #header: Buffer | undefined;
  #pending = Buffer.alloc(0);
  #number = 0;
  #file: number | undefined;
  #size = 0;

  /**
   * @param path of a file, such as live.pcap; numbers go before its ending
   * @param bytes on disk at most
   */
  constructor(
    readonly path: string,
    bytes: number,
  ) {
    this.#ending = /\.[^./\\]+$/.exec(path)?.[0] ?? "";
    this.#stem = `${path.slice(0, path.length - this.#ending.length)}-`;
    this.#mostBytes = Math.max(FILE_HEADER, Math.floor(bytes / FILES));
  }

  /**
   * A file that it would come to sooner or later, and may not write: of an earlier recording.
   *
   * @throws an error of the file system if there is no such folder
   */
  taken(): string | undefined {
    const first = basename(this.#stem);
    const isNumbered = (name: string) =>
      name.startsWith(first) &&
      name.endsWith(this.#ending) &&
      /^\d{4,}$/.test(name.slice(first.length, name.length - this.#ending.length));
    const found = readdirSync(dirname(this.path)).filter(isNumbered).sort()[0];
    return found && `${this.#stem}${found.slice(first.length)}`;
  }

  /** Takes the next bytes of the recording, cut anywhere. @throws an error of the file system */
  write(bytes: Uint8Array): void {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    if (this.#header === undefined) {
      if (this.#pending.length < FILE_HEADER) return;
      this.#header = Buffer.from(this.#pending.subarray(0, FILE_HEADER));
      this.#pending = this.#pending.subarray(FILE_HEADER);
    }
    const isLittle = LITTLE_ENDIAN.has(this.#header.readUInt32LE(0));
    let end = 0;
    let begin = 0;
    while (end + PACKET_HEADER <= this.#pending.length) {
      const at = end + LENGTH_AT;
      const next = end + PACKET_HEADER + (isLittle ? this.#pending.readUInt32LE(at) : this.#pending.readUInt32BE(at));
      if (next > this.#pending.length) break;
      if (this.#size + next - begin > this.#mostBytes && this.#size + end - begin > FILE_HEADER) {
        this.#append(this.#pending.subarray(begin, end));
        begin = end;
        this.#close();
      }
      end = next;
      if (this.#file === undefined) this.#begin(this.#header);
    }
    this.#append(this.#pending.subarray(begin, end));
    this.#pending = Buffer.from(this.#pending.subarray(end));
  }

  #begin(header: Buffer): void {
    this.#number++;
    const old = this.#number - FILES;
    if (old > 0) rmSync(this.#name(old), { force: true });
    // One that exists is somebody's recording.
    this.#file = openSync(this.#name(this.#number), "wx", 0o600);
    this.#append(header);
  }

  #append(bytes: Uint8Array): void {
    if (this.#file === undefined || bytes.length === 0) return;
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    this.#size += bytes.length;
  }

  #close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#size = 0;
  }

  /** Ends the recording; returns the files that it is in, the oldest first. */
  end(): string[] {
    this.#close();
    const first = Math.max(1, this.#number - FILES + 1);
    return Array.from({ length: this.#number - first + 1 }, (_, index) => this.#name(first + index));
  }

  #name(number: number): string {
    return `${this.#stem}${String(number).padStart(4, "0")}${this.#ending}`;
  }
}
