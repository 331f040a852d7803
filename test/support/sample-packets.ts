import type { Packet } from "../../src/capture/packet.js";
import { readCapture } from "../../src/capture/reader.js";
import { Dissection } from "../../src/dissect/dissection.js";
import type { Message } from "../../src/dissect/message.js";
import { dissectors } from "../../src/index.js";
import { Network } from "../../src/network/network.js";
import { givenFiles } from "../../src/platform/node/file-on-disk.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { readKeyFiles } from "../../src/session/files/key-files.js";
import { Tracker } from "../../src/session/tracker.js";
import { openSample, sample } from "./samples.js";

/** A message, with its place in its stream. */
export interface Found {
  readonly stream: string;
  readonly offset: number;
  readonly end: number;
  readonly name: string;
  readonly status: string;
  readonly bytes: string;
  /** The notes on it, joined. */
  readonly notes: string;
}

/** The packets of a sample. */
export function packetsOf(capture: string): Promise<Packet[]> {
  return packetsIn(openSample(capture), capture);
}

/** The packets of a capture. */
export async function packetsIn(chunks: AsyncIterable<Uint8Array>, name: string): Promise<Packet[]> {
  const packets: Packet[] = [];
  const listener = {
    packet: (packet: Packet) => void packets.push({ ...packet, data: packet.data.slice() }),
    problem: () => {},
  };
  await readCapture(chunks, name, listener);
  return packets;
}

/** What is found in packets of a sample, with the shard's key file. */
export async function dissectPackets(packets: readonly Packet[], keys?: string): Promise<Found[]> {
  const ring = await readKeyFiles(givenFiles(keys === undefined ? [] : [sample(keys)]), dissectors);
  const found: Found[] = [];
  const listener = (message: Message) => {
    const { conversation, direction, offset, length, name, status, nodes, notes } = message;
    found.push({
      stream: `${conversation.client.port} ${direction}`,
      offset,
      end: offset + length,
      name,
      status,
      bytes: nodes === undefined ? "" : hex(nodes.bytes(0)),
      notes: notes.map(({ text }) => text).join("; "),
    });
  };
  const network = new Network(new Tracker(dissectors, new Dissection(listener), { keys: ring.keys }));
  for (const packet of packets) network.packet(packet);
  network.end();
  return found;
}
