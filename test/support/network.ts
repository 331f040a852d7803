import type { Packet } from "../../src/capture/packet.js";
import { defaultLimits, type Limits } from "../../src/limits.js";
import { Network } from "../../src/network/network.js";
import { NetworkLog } from "./recording.js";

/** Raw IP. */
export const RAW = 101;

/** A network that is fed with packets directly and records its events. */
export class TestNetwork {
  readonly log = new NetworkLog();
  readonly network: Network;
  #frame = 0;
  #waited = 0;

  constructor(limits: Partial<Limits> = {}, { checksums = false, keepsDuplicates = false } = {}) {
    this.network = new Network(this.log, {
      limits: { ...defaultLimits, ...limits },
      checksums,
      keepsDuplicates,
      comparesRepeats: true,
    });
  }

  /** Feeds raw IP packets, numbered from 1. The bytes are then overwritten, as a reader may do. */
  feed(...packets: readonly Uint8Array[]): this {
    for (const packet of packets) this.packet(packet, RAW);
    return this;
  }

  /** Lets time pass: by default packets come one second apart. */
  wait(seconds: number): this {
    this.#waited += seconds;
    return this;
  }

  /** Feeds one packet of any link type, cut to a length if one is given. */
  packet(bytes: Uint8Array, linkType: number, snapLength: number = bytes.length): this {
    const data = bytes.slice(0, snapLength);
    const frame = ++this.#frame;
    const seconds = frame + this.#waited;
    const packet: Packet = { frame, seconds, nanoseconds: 0, linkType, data, originalLength: bytes.length };
    this.network.packet(packet);
    data.fill(0xee);
    return this;
  }

  /** Feeds one packet that was recorded at a time in microseconds. */
  packetAt(bytes: Uint8Array, linkType: number, microseconds: number): this {
    const frame = ++this.#frame;
    const [seconds, nanoseconds] = [Math.floor(microseconds / 1e6), (microseconds % 1e6) * 1000];
    const data = bytes.slice();
    this.network.packet({ frame, seconds, nanoseconds, linkType, data, originalLength: bytes.length });
    data.fill(0xee);
    return this;
  }

  /** The events since the last call. */
  take(): readonly string[] {
    return this.log.lines.splice(0);
  }

  /** Ends the capture and returns the events since the last call. */
  end(): readonly string[] {
    this.network.end();
    return this.take();
  }

  /** The counts of what was not understood. */
  get others(): { readonly [what: string]: number } {
    return Object.fromEntries(this.network.counts.others);
  }
}
