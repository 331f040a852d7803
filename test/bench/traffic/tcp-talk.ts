import { type CaptureWriter, Flag } from "./capture-writer.js";

const MOST_IN_SEGMENT = 1448;
const NOTHING = new Uint8Array(0);

/** One TCP connection in a capture. */
export class TcpTalk {
  readonly #next: [number, number] = [1_000_001, 5_000_001];
  #unacknowledged = 0;

  constructor(
    readonly capture: CaptureWriter,
    readonly ports: readonly [number, number],
  ) {
    capture.segment(0, ports, 1_000_000, 0, Flag.syn, NOTHING);
    capture.segment(1, ports, 5_000_000, 1_000_001, Flag.syn | Flag.ack, NOTHING);
    capture.segment(0, ports, 1_000_001, 5_000_001, Flag.ack, NOTHING);
  }

  /** Sends bytes in as many segments as they take. Receivers acknowledge every third one separately. */
  send(end: 0 | 1, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += MOST_IN_SEGMENT) {
      const part = bytes.subarray(at, at + MOST_IN_SEGMENT);
      this.#segment(end, Flag.push | Flag.ack, part);
      this.#unacknowledged++;
      if (this.#unacknowledged % 3 === 0) this.#segment(end === 0 ? 1 : 0, Flag.ack, NOTHING);
    }
  }

  close(): void {
    this.#segment(0, Flag.fin | Flag.ack, NOTHING);
    this.#next[0]++;
    this.#segment(1, Flag.fin | Flag.ack, NOTHING);
  }

  #segment(end: 0 | 1, flags: number, bytes: Uint8Array): void {
    const other = end === 0 ? 1 : 0;
    this.capture.segment(end, this.ports, this.#next[end], this.#next[other], flags, bytes);
    this.#next[end] = (this.#next[end] + bytes.length) >>> 0;
  }
}
