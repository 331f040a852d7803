import { readCapture } from "../../../src/capture/reader.js";
import type { Dissector, KeyFile } from "../../../src/dissector/dissector.js";
import type { Random } from "../../support/random.js";
import { openSample } from "../../support/samples.js";
import type { Level } from "../level.js";
import { samples } from "../seeds.js";
import { Finding } from "../soundness.js";
import { type Frame, type Outcome, outcomeOf } from "./outcome.js";
import { endTextOf, type Side } from "./sessions.js";
import { endsIn, lengthOf } from "./tcp-fields.js";
import { PLAIN, type Routing, randomWay, type Way } from "./ways.js";

const ETHERNET = 1;
const UDP = 17;
const IPV4_HEADER = 20;
const UDP_HEADER = 8;

/** Datagrams used of a conversation, from its beginning. */
const MOST = 100;
/** Copies come this much later at most, in microseconds. */
const SOON = 50;

/** A datagram in its IPv4 packet, which has no options. */
interface Datagram {
  readonly side: Side;
  readonly ip: Uint8Array;
  readonly microseconds: number;
  /** What was done to it, if anything. */
  readonly what: string;
}

/** Two UDP ends, and what they have sent. */
interface Exchange {
  readonly from: string;
  readonly ends: readonly [string, string];
  readonly datagrams: readonly Datagram[];
}

/** The protocols of these samples have no keys for UDP. */
const NO_KEYS: ReadonlyMap<Dissector, readonly KeyFile[]> = new Map();

/**
 * UDP conversations of which datagrams are lost, damaged, recorded on several ways, and between those of others: each
 * intact one is found, once, and no other.
 */
export class Datagrams implements Level {
  readonly name = "datagrams";
  input = "";

  private constructor(readonly exchanges: readonly Exchange[]) {}

  static async create(): Promise<Datagrams> {
    const exchanges: Exchange[] = [];
    for (const name of samples) exchanges.push(...(await exchangesOf(name)));
    return new Datagrams(exchanges);
  }

  run(random: Random): number {
    const exchange = random.pick(this.exchanges);
    const datagrams = disturbed(exchange.datagrams, random);
    const routing = routingOf(random);
    const lines = datagrams.map(({ side, ip, what }, at) => `${at + 1}: ${side} ${ip.length} ${what}`);
    this.input = `${exchange.from}, ${routing.name}\n${lines.join("\n")}`;
    const frames = framesOf(datagrams, routing);
    const good = outcomeOf(framesOf(exchange.datagrams, PLAIN), NO_KEYS);
    const found = outcomeOf(frames, NO_KEYS);
    for (const side of [0, 1] as const) checkSide(exchange, datagrams, side, good, found);
    return frames.reduce((sum, { data }) => sum + data.length, 0);
  }
}

/** Checks that the intact datagrams of a side are found, and those messages of them that the good conversation has. */
function checkSide(
  { ends }: Exchange,
  datagrams: readonly Datagram[],
  side: Side,
  good: Outcome,
  found: Outcome,
): void {
  const sender = ends[side];
  const heard = found.heard.get(sender) ?? [];
  if (heard.length > 1) throw new Finding(`${sender} is in ${heard.length} conversations`);
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  const there = heard.flatMap(({ pieces }) =>
    pieces.map((piece) => (typeof piece === "number" ? `${piece}` : hex(piece))),
  );
  const sent = datagrams.filter((datagram) => datagram.side === side && datagram.what === "");
  const wanted = sent.map(({ ip }) => hex(ip.subarray(IPV4_HEADER + UDP_HEADER)));
  const at = wanted.findIndex((datagram, index) => datagram !== there[index]);
  if (at >= 0 || there.length !== wanted.length) {
    throw new Finding(
      `${sender}: of ${wanted.length} datagrams ${there.length} are found, the first wrong one is ${at}`,
    );
  }
  const key = ({ name, bytes }: Outcome["messages"][number]) => `${name} ${bytes}`;
  const said = new Set(good.messages.filter((message) => message.sender === sender).map(key));
  for (const message of found.messages) {
    if (message.sender !== sender || message.status !== "ok" || said.has(key(message))) continue;
    throw new Finding(`${sender} has not sent ${key(message).slice(0, 120)}`);
  }
}

/** The frames that datagrams make. A copy comes soon after the first one, or it is another datagram. */
function framesOf(datagrams: readonly Datagram[], routing: Routing): Frame[] {
  let last = 0;
  return datagrams.flatMap(({ side, ip, microseconds }) =>
    routing.waysOf(side).map(({ around }) => {
      last = Math.max(microseconds, last + 1);
      return { linkType: ETHERNET, data: around(ip), microseconds: last };
    }),
  );
}

/** Each side has a way: datagrams have no numbers that would show what belongs together. */
function routingOf(random: Random): Routing {
  const ways: readonly [Way, Way] = [randomWay(random), randomWay(random)];
  const other = randomWay(random);
  const name = `client ${ways[0].name}, server ${ways[1].name}`;
  switch (random.below(4)) {
    case 0:
      return PLAIN;
    case 1:
      return { name, waysOf: (side) => [ways[side]] };
    case 2:
      return { name: `${name}, each ${other.name}, too`, waysOf: (side) => [ways[side], other] };
    default: {
      return {
        name: `${name}, some ${other.name}, too`,
        waysOf: (side) => (random.chance(3) ? [ways[side], other] : [ways[side]]),
      };
    }
  }
}

/** Loses and damages some, and adds others. */
function disturbed(datagrams: readonly Datagram[], random: Random): Datagram[] {
  const all = [...datagrams];
  for (let times = random.below(4); times > 0 && all.length > 1; times--) {
    const at = random.below(all.length);
    const one = all[at];
    if (one === undefined) continue;
    switch (random.below(3)) {
      case 0:
        all.splice(at, 1 + random.below(3));
        break;
      case 1:
        all[at] = { ...one, ip: withUdpLength(one.ip, random.pick([0xffff, 7, 1])), what: "damaged length" };
        break;
      default:
        all.splice(at, 0, { ...one, ip: fromElsewhere(one.ip), what: "of a third party" });
    }
  }
  if (random.chance(2)) return all;
  // Recorded twice by the same interface.
  const at = random.below(all.length);
  const copies = all.slice(at, at + 1).filter(({ what }) => what === "");
  all.splice(
    at + 1,
    0,
    ...copies.map((one) => ({ ...one, microseconds: one.microseconds + random.below(SOON), what: "copy" })),
  );
  return all;
}

function withUdpLength(ip: Uint8Array, length: number): Uint8Array {
  const copy = ip.slice();
  new DataView(copy.buffer).setUint16(IPV4_HEADER + 4, length);
  return copy;
}

function fromElsewhere(ip: Uint8Array): Uint8Array {
  const copy = ip.slice();
  copy[15] = (copy[15] ?? 0) ^ 0x55;
  return copy;
}

/** The UDP conversations of a sample that both sides take part in, or one at least ten times. */
async function exchangesOf(name: string): Promise<Exchange[]> {
  const found = new Map<string, { readonly first: string; readonly datagrams: Datagram[] }>();
  await readCapture(openSample(name), name, {
    packet({ linkType, data, seconds, nanoseconds }) {
      const ip = data.slice(14);
      if (linkType !== ETHERNET || data[12] !== 8 || data[13] !== 0 || ip[0] !== 0x45 || ip[9] !== UDP) return;
      const [source, destination] = endsIn(ip);
      const key = [source, destination].sort().join(" ");
      const exchange = found.get(key) ?? { first: source, datagrams: [] };
      found.set(key, exchange);
      const side = exchange.first === source ? 0 : 1;
      const microseconds = seconds * 1e6 + Math.floor(nanoseconds / 1000);
      exchange.datagrams.push({ side, ip: ip.subarray(0, lengthOf(ip)), microseconds, what: "" });
    },
    problem() {},
  });
  return [...found].flatMap(([key, { first, datagrams }]) => {
    const other = key.split(" ").find((end) => end !== first) ?? first;
    const ends = [endTextOf(first), endTextOf(other)] as const;
    return datagrams.length < 10 ? [] : [{ from: `${name} ${key}`, ends, datagrams: datagrams.slice(0, MOST) }];
  });
}
