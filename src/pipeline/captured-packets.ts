import { PcapngWriter } from "../capture/pcapng-writer.js";
import type { CaptureSource } from "../capture/source.js";
import { readable } from "./capture-input.js";

/** A packet that a program has captured. */
export interface CapturedPacket {
  /** When it was captured: whole seconds since 1970 (UTC), and the rest in nanoseconds (0 by default). */
  readonly seconds: number;
  readonly nanoseconds?: number;
  /** The captured bytes, from the link header on. */
  readonly data: Uint8Array;
  /** Length on the wire, if only a part was captured. */
  readonly originalLength?: number;
  /** Link type (LINKTYPE_* of the tcpdump registry); by default 1, Ethernet. */
  readonly linkType?: number;
}

const ETHERNET = 1;

/**
 * Makes a capture of packets that come one by one.
 *
 * @param name what it is called in messages
 */
export function captureOfPackets(
  packets: AsyncIterable<CapturedPacket> | Iterable<CapturedPacket>,
  name = "packets",
): CaptureSource {
  return { name, isReadOnce: !(Symbol.iterator in packets), open: () => readable(written(packets), name) };
}

/** The packets as a pcapng file, which a run can read as any other. */
async function* written(packets: AsyncIterable<CapturedPacket> | Iterable<CapturedPacket>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const writer = new PcapngWriter((bytes) => void ready.push(bytes));
  const interfaces = new Map<number, number>();
  writer.section("moul-dissect");
  for await (const { seconds, nanoseconds = 0, data, originalLength = data.length, linkType = ETHERNET } of packets) {
    let number = interfaces.get(linkType);
    if (number === undefined) {
      number = interfaces.size;
      interfaces.set(linkType, number);
      writer.interface({ linkType });
    }
    writer.packet({ seconds, nanoseconds, data, originalLength }, number);
    writer.flush();
    yield* ready.splice(0);
  }
  writer.flush();
  yield* ready;
}
