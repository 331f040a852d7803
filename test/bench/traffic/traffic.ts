import { writeFileSync } from "node:fs";
import { CaptureWriter } from "./capture-writer.js";
import { MessageMaker, SDL, type TrafficMessage } from "./messages.js";
import { MoulTalk, Server } from "./moul-talk.js";
import { Random } from "./random.js";
import { TcpTalk } from "./tcp-talk.js";

/** What traffic to make. */
export interface TrafficOptions {
  /** Approximate size of the capture, in bytes. */
  readonly size: number;
  readonly conversations?: number;
  /** How many of them are open at once; all by default. */
  readonly open?: number;
  /** What is sent: the mix of a busy evening, messages of 50 bytes, or messages of 1 MiB. */
  readonly messages?: "mixed" | "short" | "long";
  /** Share of the bytes that is other people's traffic. */
  readonly foreign?: number;
  /** Number of different messages of each server that the traffic draws from. */
  readonly pool?: number;
  /** False if no twin is wanted. */
  readonly hasTwin?: boolean;
}

/** The traffic that was made: its files, and what they contain. */
export interface Traffic {
  readonly capture: string;
  /** The same messages for other dissectors: see `MoulTalk`. */
  readonly twin: string;
  readonly keys: string;
  readonly sdl: string;
  readonly messages: number;
  readonly packets: number;
  readonly bytes: number;
}

const PORT = 14_617;
/** First port of the clients: tshark assigns no protocol to these ports, which nobody may register. */
const FIRST_PORT = 49_152;
const FOREIGN_PORT = 443;
const FOREIGN_CONVERSATIONS = 64;
const FOREIGN_BURST = 12;
/** Number of messages sent in one piece. */
const BATCHES = [1, 1, 1, 1, 1, 2, 2, 3, 4, 8] as const;

/** Writes a capture of traffic, its twin, and what is needed to read them: the same files for the same options. */
export function makeTraffic(path: string, options: TrafficOptions): Traffic {
  const { size, conversations = 16, open = conversations, messages = "mixed", foreign = 0, hasTwin = true } = options;
  const { pool = 4096 } = options;
  const random = new Random(20_251_120);
  const pools = poolsOf(messages, pool, new MessageMaker(random));
  const files = { capture: `${path}.pcap`, twin: `${path}.twin.pcap`, keys: `${path}.keys`, sdl: `${path}.sdl` };
  const [real, twin] = [new CaptureWriter(files.capture), new CaptureWriter(hasTwin ? files.twin : undefined)];

  const ended: MoulTalk[] = [];
  let opened = 0;
  const opening = (index: number) => {
    const ports = [FIRST_PORT + opened++, PORT] as const;
    const isAuth = messages === "long" || (messages === "mixed" && index % 2 === 1);
    return new MoulTalk(isAuth ? Server.auth : Server.game, new TcpTalk(real, ports), new TcpTalk(twin, ports), random);
  };
  const talks = Array.from({ length: Math.min(open, conversations) }, (_, index) => opening(index));
  const others = foreign === 0 ? [] : foreignTalks(real, twin);
  const noise = random.bytes(64 * 1024);
  let ours = real.bytes;
  while (real.bytes < size) {
    const pause = 20 + random.below(400);
    real.wait(pause);
    twin.wait(pause);
    if (foreign > 0 && ours > (1 - foreign) * real.bytes) {
      const at = random.below(noise.length / 2);
      const bytes = noise.subarray(at, at + 1448 * FOREIGN_BURST);
      for (const talk of others[random.below(others.length)] ?? []) talk.send(1, bytes);
      continue;
    }
    const before = real.bytes;
    // Most messages belong to the game.
    const drawn = random.below(talks.length);
    const talk = talks[random.below(4) > 0 ? drawn & ~1 : drawn];
    talk?.send(batch(pools, pool, talk.server, random));
    if (talk !== undefined && opened < conversations && opened < conversations * (real.bytes / size)) {
      talk.close();
      ended.push(talk);
      const index = talks.indexOf(talk);
      talks[index] = opening(index);
    }
    ours += real.bytes - before;
  }
  for (const talk of talks) talk.close();
  const all = [...ended, ...talks];
  real.close();
  twin.close();
  writeFileSync(files.keys, `${all.map(({ keyLine }) => keyLine).join("\n")}\n`);
  writeFileSync(files.sdl, SDL);
  const sent = all.reduce((sum, talk) => sum + talk.messages, 0);
  return { ...files, messages: sent, packets: real.packets, bytes: real.bytes };
}

type Pools = Readonly<Record<Server, Readonly<Record<"c2s" | "s2c", readonly TrafficMessage[]>>>>;

function poolsOf(kind: "mixed" | "short" | "long", count: number, maker: MessageMaker): Pools {
  const pool = (count: number, make: () => TrafficMessage) => {
    const made = Array.from({ length: count }, make);
    const from = (direction: "c2s" | "s2c") => made.filter((message) => message.direction === direction);
    return { c2s: from("c2s"), s2c: from("s2c") };
  };
  if (kind === "long") return { [Server.auth]: pool(4, () => maker.long()), [Server.game]: { c2s: [], s2c: [] } };
  const auth = pool(count, () => maker.auth());
  const game = pool(count, () => (kind === "short" ? maker.short() : maker.game()));
  return { [Server.auth]: kind === "short" ? game : auth, [Server.game]: game };
}

/** Messages that go out together. */
function batch(pools: Pools, pool: number, server: Server, random: Random): TrafficMessage[] {
  const { c2s, s2c } = pools[server];
  const from = random.below(c2s.length + s2c.length) < c2s.length ? c2s : s2c;
  // Of messages of which there are few, several at once would often be the same.
  const count = from.length < pool / 8 ? 1 : random.pick(BATCHES);
  return Array.from({ length: count }, () => from[random.below(from.length)]).filter((one) => one !== undefined);
}

/** Connections of other programs, in both captures. */
function foreignTalks(real: CaptureWriter, twin: CaptureWriter): TcpTalk[][] {
  // The first bytes of a TLS connection.
  const hello = Buffer.from("16030100c8010000c40303", "hex");
  return Array.from({ length: FOREIGN_CONVERSATIONS }, (_, index) => {
    const both = [real, twin].map((capture) => new TcpTalk(capture, [50_000 + index, FOREIGN_PORT]));
    for (const talk of both) {
      talk.send(0, hello);
      talk.send(1, hello);
    }
    return both;
  });
}
