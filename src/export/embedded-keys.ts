import { unpacked } from "../capture/compression/compression.js";
import { Delivery } from "../capture/delivery.js";
import { captureFormat } from "../capture/format.js";
import { Gatherer } from "../capture/gatherer.js";
import { PcapReader } from "../capture/pcap.js";
import { BYTE_ORDER_MAGIC } from "../capture/pcapng-blocks.js";
import { keyLogBlock, PcapngWriter, type WrittenPacket } from "../capture/pcapng-writer.js";
import { CaptureError, type CaptureSource } from "../capture/source.js";
import type { Limits } from "../limits.js";
import { viewOf } from "../schema/language/byte-source.js";

/** Most characters of a key log in one block: readers need not accept longer blocks of this kind. */
const LONGEST_LOG = 512 * 1024;

/** Bytes at the beginning of a capture that decide how it is rewritten, up to and including the length of a section. */
const HEADER = 24;
const SECTION_LENGTH_FIELD = 16;
/** The length field of a section that does not give its length. */
const UNKNOWN_LENGTH = -1n;

/** What to put into a capture. */
interface Embedding {
  /** The lines of the key log, without line ends. */
  readonly keyLog: readonly string[];
  /** The program that writes the new capture. */
  readonly application: string;
  readonly limits: Limits;
}

/**
 * Rewrites a capture as pcapng with a key log in it. A pcapng capture stays as it is, byte for byte, except for the
 * inserted blocks and the length of the section they are in; of any other capture the packets are kept, with times,
 * lengths and link type. Of a damaged file, what can be read is kept; nothing is reported.
 *
 * @param source the file, compressed or not
 * @param write receives the new file's bytes in order; they are valid only during the call
 * @param between called after every chunk and awaited; false ends the reading, and nothing more is written
 */
export async function embedKeys(
  source: CaptureSource,
  { keyLog, application, limits }: Embedding,
  write: (bytes: Uint8Array) => void,
  between: () => Promise<unknown>,
): Promise<void> {
  const logs = inParts(keyLog);
  const start = new Gatherer();
  let rewriting: Rewriting | undefined;
  try {
    for await (const chunk of unpacked(source.open(), source.name, source.decompressors)) {
      if (rewriting !== undefined) rewriting.push(chunk);
      else {
        start.append(chunk, 0, chunk.length);
        if (start.length < HEADER) continue;
        const isPcapng = captureFormat(start.bytes) === "pcapng";
        rewriting = isPcapng ? new Insertion(logs, write) : new Conversion(logs, application, limits, write);
        rewriting.push(start.bytes);
      }
      if ((await between()) === false) return;
    }
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
  }
  rewriting?.end();
}

/** Joins lines into texts that each fit into a block. */
function inParts(lines: readonly string[]): readonly string[] {
  const parts: string[] = [];
  let part = "";
  for (const line of lines) {
    if (part.length + line.length > LONGEST_LOG) {
      parts.push(part);
      part = "";
    }
    part += `${line}\n`;
  }
  return part === "" ? parts : [...parts, part];
}

interface Rewriting {
  push(bytes: Uint8Array): void;
  end(): void;
}

/** Puts key logs after the first section header of a pcapng file. */
class Insertion implements Rewriting {
  /** The beginning of the file, until the section header is complete. */
  readonly #start = new Gatherer();
  #isDone = false;

  constructor(
    readonly logs: readonly string[],
    readonly write: (bytes: Uint8Array) => void,
  ) {}

  push(bytes: Uint8Array): void {
    if (this.#isDone) {
      this.write(bytes);
      return;
    }
    this.#start.append(bytes, 0, bytes.length);
    const file = this.#start.bytes;
    const view = viewOf(file);
    const little = view.getUint32(8, true) === BYTE_ORDER_MAGIC;
    const header = view.getUint32(4, little);
    if (header > file.length) return;
    this.#isDone = true;
    const blocks = this.logs.map((log) => keyLogBlock(log, little));
    const length = view.getBigInt64(SECTION_LENGTH_FIELD, little);
    const inserted = blocks.reduce((sum, block) => sum + block.length, 0);
    if (length !== UNKNOWN_LENGTH) view.setBigInt64(SECTION_LENGTH_FIELD, length + BigInt(inserted), little);
    this.write(file.subarray(0, header));
    for (const block of blocks) this.write(block);
    this.write(file.subarray(header));
  }

  end(): void {
    if (!this.#isDone) this.write(this.#start.bytes);
  }
}

/** Rewrites the packets of a pcap file as pcapng. */
class Conversion implements Rewriting {
  readonly #reader: PcapReader;
  readonly #writer: PcapngWriter;
  #isBegun = false;

  constructor(
    readonly logs: readonly string[],
    readonly application: string,
    limits: Limits,
    write: (bytes: Uint8Array) => void,
  ) {
    this.#writer = new PcapngWriter(write);
    const listener = {
      packet: (packet: WrittenPacket) => {
        this.#begin();
        this.#writer.packet(packet);
      },
      problem: () => {},
    };
    this.#reader = new PcapReader(new Delivery("", listener, 0), limits);
  }

  push(bytes: Uint8Array): void {
    this.#reader.push(bytes);
  }

  end(): void {
    this.#reader.end();
    this.#begin();
    this.#writer.flush();
  }

  #begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    this.#writer.section(this.application);
    for (const log of this.logs) this.#writer.keyLog(log);
    this.#writer.interface(this.#reader.interface);
  }
}
