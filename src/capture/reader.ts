import { defaultLimits, type Limits } from "../limits.js";
import { unpacked } from "./compression/compression.js";
import type { Decompressors } from "./compression/decompressors.js";
import { Delivery, type TimeSpan } from "./delivery.js";
import { captureFormat } from "./format.js";
import { Gatherer } from "./gatherer.js";
import type { CaptureReader, PacketListener } from "./packet.js";
import { PcapReader } from "./pcap.js";
import { PcapngReader } from "./pcapng.js";
import { CaptureError } from "./source.js";
import { describeStranger, STRANGER_LENGTH } from "./strangers.js";

/**
 * How the reading of a file ended: with all of it read; when the caller stopped it; with a problem after some packets;
 * or with a problem and no packets.
 */
export type CaptureOutcome = "whole" | "stopped" | "partial" | "unreadable";

export interface CaptureResult {
  readonly outcome: CaptureOutcome;
  /** Number of the last frame: the `lastFrame` of the next file of the run. */
  readonly lastFrame: number;
  /** The time from the first packet to the last one; undefined if there are no packets. */
  readonly span: TimeSpan | undefined;
}

export interface CaptureOptions {
  /** Which of the files of the run it is, from 0. */
  readonly index?: number;
  /** Number of the last frame of the files before this one; 0 if this is the first. */
  readonly lastFrame?: number;
  readonly limits?: Limits;
  /** By default, portable ones. */
  readonly decompressors?: Decompressors | undefined;
  /**
   * Called after every chunk with the number of bytes read so far, and awaited: here the caller holds reading back
   * until its own output has been written, shows progress, or returns false to stop reading this file.
   */
  readonly between?: (bytes: number) => Promise<boolean | undefined> | boolean | undefined;
  /** Ends the reading early, if the chunks end with its reason. */
  readonly stop?: AbortSignal | undefined;
  /**
   * Asked before each packet: true if the caller has no room for what it makes of one. Packets then wait until `between`
   * has been awaited. Few bytes can be enough for that: content that inflates to a multiple, shown field by field.
   */
  readonly isFull?: (() => boolean) | undefined;
}

/**
 * Reads one capture file from its chunks; format and compression are detected from the content. Anything wrong with the
 * file, including that it cannot be opened (`CaptureError`), is reported to the listener as a problem, after the
 * packets before it. Errors that the listener throws, and those that the chunks throw apart from `CaptureError`, are
 * passed through.
 * @param file the file's name in problems.
 */
export async function readCapture(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  listener: PacketListener,
  options: CaptureOptions = {},
): Promise<CaptureResult> {
  const { index, lastFrame = 0, limits = defaultLimits, decompressors, between, isFull, stop } = options;
  const delivery = new Delivery(file, listener, lastFrame, isFull, index);
  const reader = new DetectingReader(delivery, limits, file);
  let bytes = 0;
  let stopped = false;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  /** Waits until nothing waits for room any more; false if the caller stopped the reading. */
  async function isCaughtUp(): Promise<boolean> {
    while (delivery.isBehind) {
      if ((await between?.(bytes)) === false) return false;
      delivery.catchUp();
    }
    return true;
  }
  try {
    for await (const chunk of unpacked(counted(), file, decompressors)) {
      const goesOn = reader.push(chunk);
      stopped = !((await isCaughtUp()) && goesOn) || (await between?.(bytes)) === false || stop?.aborted === true;
      if (stopped) break;
    }
    if (!stopped) {
      reader.end();
      stopped = !(await isCaughtUp());
    }
  } catch (error) {
    if (stop?.aborted === true) stopped = true;
    else if (error instanceof CaptureError) delivery.problem(bytes, error.text);
    else throw error;
  }
  return { outcome: outcome(delivery, stopped), lastFrame: delivery.frame, span: delivery.span };
}

function outcome(delivery: Delivery, stopped: boolean): CaptureOutcome {
  if (delivery.problems > 0) return delivery.packets > 0 ? "partial" : "unreadable";
  return stopped ? "stopped" : "whole";
}

/** Waits for the bytes that show the format, then leaves the work to the reader of that format. */
class DetectingReader implements CaptureReader {
  readonly #delivery: Delivery;
  readonly #limits: Limits;
  readonly #start = new Gatherer();
  #reader: CaptureReader | undefined;

  constructor(
    delivery: Delivery,
    limits: Limits,
    readonly file: string,
  ) {
    this.#delivery = delivery;
    this.#limits = limits;
  }

  push(bytes: Uint8Array): boolean {
    if (this.#reader !== undefined) return this.#reader.push(bytes);
    this.#start.append(bytes, 0, bytes.length);
    const start = this.#start.bytes;
    const format = captureFormat(start);
    if (format !== undefined) {
      const Reader = format === "pcap" ? PcapReader : PcapngReader;
      this.#reader = new Reader(this.#delivery, this.#limits);
      return this.#reader.push(start);
    }
    if (start.length < STRANGER_LENGTH) return true;
    this.#delivery.problem(0, describeStranger(start, this.file));
    return false;
  }

  end(): void {
    if (this.#reader !== undefined) this.#reader.end();
    else this.#delivery.problem(0, describeStranger(this.#start.bytes, this.file));
  }
}
