import { readCapture } from "../../../src/capture/reader.js";
import type { Dissector, KeyFile } from "../../../src/dissector/dissector.js";
import { dissectors } from "../../../src/index.js";
import { givenFiles } from "../../../src/platform/node/file-on-disk.js";
import { readKeyFiles } from "../../../src/session/files/key-files.js";
import { type Address, Flag, TcpTalk } from "../../support/packets.js";
import { openSample } from "../../support/samples.js";
import { keysOf, samples } from "../seeds.js";
import type { Talk } from "../talks.js";
import { endsIn, fieldsOf, isTcp, lengthOf } from "./tcp-fields.js";

/** Packets used of a connection, from its beginning. */
const MOST_PACKETS = 100;
/** Bytes that each side has to send: a connection in which nothing is said shows nothing. */
const LEAST = 10;
/** Generated talks that are sent over IPv6. */
const GENERATED = 10;

const ETHERNET = 1;

export type Side = 0 | 1;

/** A packet of a connection: the client is side 0. */
export interface Sent {
  readonly side: Side;
  /** The IP packet. */
  readonly ip: Uint8Array;
  readonly microseconds: number;
}

/** A TCP connection of which nothing is missing, as both ends have seen it. */
export interface Session {
  readonly from: string;
  readonly keys: ReadonlyMap<Dissector, readonly KeyFile[]>;
  readonly packets: readonly Sent[];
  /** The ends, by side: "address:port". */
  readonly ends: readonly [string, string];
  /** The numbers of the first bytes, and the bytes, by side. */
  readonly bases: readonly [number, number];
  readonly streams: readonly [Uint8Array, Uint8Array];
}

/** The connections of the samples, and generated ones over IPv6. */
export async function goodSessions(talks: readonly Talk[]): Promise<Session[]> {
  const sessions: Session[] = [];
  for (const name of samples.filter((one) => !one.endsWith(".pcapng"))) {
    const { keys } = await readKeyFiles(givenFiles(keysOf(name)), dissectors);
    for (const [index, packets] of (await connectionsOf(name)).entries()) {
      const session = whole(`${name} connection ${index}`, keys, packets.slice(0, MOST_PACKETS));
      if (session !== undefined) sessions.push(session);
    }
  }
  const generated = talks.filter(({ from }) => from.startsWith("generated"));
  for (const talk of generated.slice(-GENERATED)) {
    const session = whole(`${talk.from} over IPv6`, talk.keys, overIpv6(talk).slice(0, MOST_PACKETS));
    if (session !== undefined) sessions.push(session);
  }
  return sessions;
}

/** The packets of each TCP connection of a sample, in the order of their SYNs. */
async function connectionsOf(name: string): Promise<Sent[][]> {
  const connections: Sent[][] = [];
  const open = new Map<string, Sent[]>();
  await readCapture(openSample(name), name, {
    packet({ linkType, data, seconds, nanoseconds }) {
      const ip = data.slice(14);
      if (linkType !== ETHERNET || data[12] !== 8 || data[13] !== 0 || !isTcp(ip)) return;
      const [source, destination] = endsIn(ip);
      const microseconds = seconds * 1e6 + Math.floor(nanoseconds / 1000);
      const isFirst = (fieldsOf(ip).flags & (Flag.syn | Flag.ack)) === Flag.syn;
      const side = isFirst || open.has(`${source} ${destination}`) ? 0 : 1;
      const key = side === 0 ? `${source} ${destination}` : `${destination} ${source}`;
      let packets = open.get(key);
      if (isFirst) {
        packets = [];
        open.set(key, packets);
        connections.push(packets);
      }
      packets?.push({ side, ip: ip.subarray(0, lengthOf(ip)), microseconds });
    },
    problem() {},
  });
  return connections;
}

/** A generated conversation in segments over IPv6, each acknowledged in the next one of the other side or by itself. */
function overIpv6({ pieces }: Talk): Sent[] {
  const client: Address = ["fd00::1", 50_000];
  const server: Address = ["fd00::2", 14_617];
  const tcp = new TcpTalk(client, server, [0xffff_ff00, 1_000_000]);
  const sent: (readonly [Side, Uint8Array])[] = tcp.handshake().map((packet, index) => [index === 1 ? 1 : 0, packet]);
  for (const { direction, bytes } of pieces) {
    const side = direction === "c2s" ? 0 : 1;
    for (let at = 0; at < bytes.length; at += 1400) sent.push([side, tcp.send(side, bytes.slice(at, at + 1400))]);
    sent.push([side === 0 ? 1 : 0, tcp.ack(side === 0 ? 1 : 0)]);
  }
  sent.push([0, tcp.fin(0)], [1, tcp.fin(1)], [0, tcp.ack(0)]);
  return sent.map(([side, ip], index) => ({ side, ip, microseconds: 1e15 + index * 20_000 }));
}

/** The session that packets make, if nothing of it is missing and enough is said in it. */
function whole(from: string, keys: Session["keys"], packets: readonly Sent[]): Session | undefined {
  const bases: [number, number] = [0, 0];
  const started = [false, false];
  const streams: [number[], number[]] = [[], []];
  for (const { side, ip } of packets) {
    const { sequence, flags, payload } = fieldsOf(ip);
    if ((flags & Flag.syn) !== 0) {
      bases[side] = (sequence + 1) >>> 0;
      started[side] = true;
      continue;
    }
    const at = (sequence - bases[side]) | 0;
    const stream = streams[side];
    if (!started[side] || (payload.length > 0 && at > stream.length)) return undefined;
    if (payload.length > 0) stream.push(...payload.subarray(stream.length - at));
  }
  if (streams.some((stream) => stream.length < LEAST)) return undefined;
  const ends = endsOf(packets);
  return { from, keys, packets, ends, bases, streams: [Uint8Array.from(streams[0]), Uint8Array.from(streams[1])] };
}

/** The ends as the program writes them. */
function endsOf(packets: readonly Sent[]): Session["ends"] {
  const ip = packets[0]?.ip ?? new Uint8Array(40);
  const [source, destination] = endsIn(ip);
  return [endTextOf(source), endTextOf(destination)];
}

/** An end in hexadecimal digits (see `endsIn`) as the program writes it. */
export function endTextOf(end: string): string {
  const [address = "", port = ""] = end.split(":");
  const number = Number.parseInt(port, 16);
  if (address.length > 8) return `[fd00::${Number.parseInt(address.slice(-4), 16)}]:${number}`;
  return `${[...Buffer.from(address, "hex")].join(".")}:${number}`;
}
