import { type CaptureWriter, Flag } from "./capture-writer.js";

const MOST_IN_SEGMENT = 1448;

/** One TCP connection in a capture. */
export class TcpTalk {
  readonly #next: [number, number] = [1_000_001, 5_000_001];
  #unacknowledged = 0;

  constructor(
    readonly capture: CaptureWriter,
    readonly ports: readonly [number, number],
  ) {
    const [client, server] = this.#next;
    capture.segment(0, ports, { sequence: client - 1, acknowledgment: 0, flags: Flag.syn });
    capture.segment(1, ports, { sequence: server - 1, acknowledgment: client, flags: Flag.syn | Flag.ack });
    capture.segment(0, ports, { sequence: client, acknowledgment: server, flags: Flag.ack });
  }

  /** Sends bytes in as many segments as they take. Receivers acknowledge every third one separately. */
  send(end: 0 | 1, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += MOST_IN_SEGMENT) {
      const part = bytes.subarray(at, at + MOST_IN_SEGMENT);
      this.#segment(end, Flag.push | Flag.ack, part);
      this.#unacknowledged++;
      if (this.#unacknowledged % 3 === 0) this.#segment(end === 0 ? 1 : 0, Flag.ack);
    }
  }

  close(): void {
    this.#segment(0, Flag.fin | Flag.ack);
    this.#next[0]++;
    this.#segment(1, Flag.fin | Flag.ack);
  }

  #segment(end: 0 | 1, flags: number, payload: Uint8Array = new Uint8Array(0)): void {
    const [sequence, acknowledgment] = [this.#next[end], this.#next[end === 0 ? 1 : 0]];
    this.capture.segment(end, this.ports, { sequence, acknowledgment, flags, payload });
    this.#next[end] = (sequence + payload.length) >>> 0;
  }
}
