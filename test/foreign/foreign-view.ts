import { endpointText, normalAddress } from "../../src/network/address.js";
import { followAll } from "./follow.js";
import type { Sharkd, SharkdFrame } from "./sharkd.js";
import type { ForeignConversation, ForeignFrame, ForeignPart, ForeignView } from "./views.js";

const FIELDS = ["frame.protocols", "frame.cap_len", "frame.len", "vlan.id", "tcp.stream", "tcp.len", "tcp.flags"];

/** How many streams sharkd follows one by one. */
const MOST_PASSES = 4;

/** What tshark finds in a capture; undefined if it is none that tshark knows. */
export async function foreignView(sharkd: Sharkd, path: string): Promise<ForeignView | undefined> {
  if (!(await sharkd.load(path))) return undefined;
  const frames = await sharkd.frames(FIELDS);
  // Following takes a pass over the capture.
  const streams = [...framesOfStreams(frames)].filter(([, ofStream]) => ofStream.some(({ length }) => length > 0));
  const numbers = streams.map(([number]) => number);
  const together = numbers.length > MOST_PASSES ? await followAll(path, numbers) : undefined;
  const tcp: ForeignConversation[] = [];
  for (const [index, [stream, ofStream]] of streams.entries()) {
    const followed = together?.[index] ?? (await sharkd.follow(stream));
    if (followed === undefined) continue;
    const client = endText(followed.client);
    const server = endText(followed.server);
    const sent: Record<string, ForeignPart[]> = {};
    for (const { frame, fromServer, bytes } of followed.parts) {
      const sender = fromServer ? server : client;
      const part = { frame, bytes: bytes.toString("latin1") };
      const known = sent[sender];
      if (known === undefined) sent[sender] = [part];
      else known.push(part);
    }
    tcp.push({ stream, ends: [client, server], first: ofStream[0]?.number ?? 0, frames: ofStream, sent });
  }
  return { packets: frames.length, tcp };
}

/** The packets of each stream. One packet can belong to several: those in tunnels, or quoted in an ICMP message. */
function framesOfStreams(frames: readonly SharkdFrame[]): Map<number, ForeignFrame[]> {
  const streams = new Map<number, ForeignFrame[]>();
  for (const { number, fields } of frames) {
    const [protocols = [], [captured] = [], [original] = [], vlans = [], numbers = [], lengths = [], flags = []] =
      fields;
    for (const [index, stream] of numbers.entries()) {
      const frame = {
        number,
        protocols: protocols.join(","),
        length: Number(lengths[index] ?? 0),
        flags: Number(flags[index] ?? 0),
        isCut: Number(captured) < Number(original),
        vlans: vlans.join(","),
      };
      const known = streams.get(Number(stream));
      if (known === undefined) streams.set(Number(stream), [frame]);
      else known.push(frame);
    }
  }
  return streams;
}

function endText({ address, port }: { readonly address: string; readonly port: number }): string {
  return endpointText({ address: normalAddress(address) ?? address, port });
}
