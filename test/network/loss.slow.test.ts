import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCapture } from "../../src/capture/reader.js";
import { endpointText } from "../../src/network/address.js";
import type { Conversation, ConversationListener, Direction, NetworkListener } from "../../src/network/conversation.js";
import { Network } from "../../src/network/network.js";
import { TcpTalk } from "../support/packets.js";
import { listening } from "../support/recording.js";
import { openSample } from "../support/samples.js";

interface Recorded {
  readonly linkType: number;
  readonly data: Uint8Array;
  readonly originalLength: number;
}

/** What a direction delivered: bytes, and the lengths of gaps. */
type Piece = Buffer | number;

/** Keeps what each end of each conversation sent, and records contradictions. */
class PieceLog implements NetworkListener {
  readonly directions: { readonly sender: string; readonly pieces: Piece[] }[] = [];
  conflicts = 0;

  opened(conversation: Conversation): ConversationListener {
    const pieces: Readonly<Record<Direction, Piece[]>> = { c2s: [], s2c: [] };
    const [client, server] = [endpointText(conversation.client), endpointText(conversation.server)];
    this.directions.push({ sender: `${client} > ${server}`, pieces: pieces.c2s });
    this.directions.push({ sender: `${server} > ${client}`, pieces: pieces.s2c });
    return listening({
      bytes: (direction, bytes) => void pieces[direction].push(Buffer.from(bytes)),
      gap: (direction, length) => void pieces[direction].push(length),
      conflict: () => {
        this.conflicts++;
      },
    });
  }
}

function run(packets: readonly Recorded[]): PieceLog {
  const log = new PieceLog();
  const network = new Network(log, { comparesRepeats: true });
  packets.forEach((packet, index) => {
    network.packet({ ...packet, frame: index + 1, seconds: index, nanoseconds: 0 });
  });
  network.end();
  return log;
}

/** True if pieces are a part of a stream: its bytes, with nothing but gaps in place of others. */
function isPartOf(stream: Buffer, pieces: readonly Piece[]): boolean {
  const fits = (start: number): boolean => {
    let at = start;
    for (const piece of pieces) {
      const length = typeof piece === "number" ? piece : piece.length;
      if (typeof piece !== "number" && !stream.subarray(at, at + length).equals(piece)) return false;
      at += length;
    }
    // If only their acknowledgment shows bytes, one of them may have been a FIN, which counts as one.
    const slack = typeof pieces.at(-1) === "number" ? 1 : 0;
    return at <= stream.length + slack;
  };
  const first = pieces.findIndex((piece) => typeof piece !== "number");
  const bytes = pieces[first];
  if (bytes === undefined || typeof bytes === "number") return fits(0);
  const before = pieces.slice(0, first).reduce((sum: number, piece) => sum + Number(piece), 0);
  for (let at = stream.indexOf(bytes); at >= 0; at = stream.indexOf(bytes, at + 1)) {
    if (at >= before && fits(at - before)) return true;
  }
  return false;
}

/** What happens to packets on their way into the capture; each number decides about one packet, in turn. */
interface Mishaps {
  readonly drop: readonly boolean[];
  readonly repeat: readonly boolean[];
  readonly delay: readonly number[];
  /** Number of bytes left of a packet. */
  readonly cut: readonly number[];
}

const turn = <T>(values: readonly T[], index: number, otherwise: T): T => values[index % values.length] ?? otherwise;

function afflict(packets: readonly Recorded[], { drop, repeat, delay, cut }: Mishaps): Recorded[] {
  return packets
    .flatMap((packet, index) => {
      if (turn(drop, index, false)) return [];
      const data = packet.data.subarray(0, turn(cut, index, packet.data.length));
      const there = { packet: { ...packet, data }, at: index + turn(delay, index, 0) };
      return turn(repeat, index, false) ? [there, { ...there, at: there.at + 5 }] : [there];
    })
    .sort((a, b) => a.at - b.at)
    .map(({ packet }) => packet);
}

const seldom = fc.integer({ min: 0, max: 19 }).map((number) => number === 19);
/** Lists of odd lengths, so that their cycles never coincide. */
const mishaps: fc.Arbitrary<Mishaps> = fc.record({
  drop: fc.array(seldom, { minLength: 31, maxLength: 31 }),
  repeat: fc.array(seldom, { minLength: 29, maxLength: 29 }),
  delay: fc.array(fc.constantFrom(0, 0, 0, 0, 0, 0, 1.5, 3.5), { minLength: 23, maxLength: 23 }),
  cut: fc.array(fc.constantFrom(9999, 9999, 9999, 9999, 9999, 9999, 9999, 90), { minLength: 37, maxLength: 37 }),
});

describe("a capture with packets dropped, repeated, reordered and cut", () => {
  test("never has a wrong byte, and gaps of the right length: a recorded session", async () => {
    const packets: Recorded[] = [];
    await readCapture(openSample("nagus-session.pcap"), "", {
      packet: ({ linkType, data, originalLength }) => packets.push({ linkType, data: data.slice(), originalLength }),
      problem: () => {},
    });
    const streams = new Map(
      run(packets).directions.map(({ sender, pieces }) => [sender, Buffer.concat(pieces.filter(Buffer.isBuffer))]),
    );
    fc.assert(
      fc.property(mishaps, (happened) => {
        const { directions, conflicts } = run(afflict(packets, happened));
        for (const { sender, pieces } of directions) {
          const stream = streams.get(sender) ?? Buffer.alloc(0);
          expect([sender, isPartOf(stream, pieces)]).toEqual([sender, true]);
        }
        expect(conflicts).toBe(0);
      }),
      { numRuns: 150, seed: 1 },
    );
  }, 30_000);

  /** A talk in which every byte shows its position, with sequence numbers that wrap around. */
  function talk(sizes: readonly number[]): { packets: Recorded[]; streams: readonly [Buffer, Buffer] } {
    const tcp = new TcpTalk(["10.0.0.1", 4000], ["10.0.0.2", 14_617], [0xffff_ff00, 0x7fff_ff00]);
    const sent: [number[], number[]] = [[], []];
    const packets = tcp.handshake();
    sizes.forEach((size, index) => {
      const side = size % 3 === 0 ? 1 : 0;
      const own = sent[side];
      const payload = Uint8Array.from({ length: size }, (_, at) => {
        const place = own.length + at;
        return (place % 2 === 0 ? place >> 9 : place >> 1) & 0xff;
      });
      own.push(...payload);
      packets.push(tcp.send(side, payload));
      if (index % 2 === 0) packets.push(tcp.ack(side === 0 ? 1 : 0));
    });
    packets.push(tcp.fin(0), tcp.fin(1), tcp.ack(0));
    const recorded = packets.map((data) => ({ linkType: 101, data, originalLength: data.length }));
    return { packets: recorded, streams: [Buffer.from(sent[0]), Buffer.from(sent[1])] };
  }

  const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 60 });

  test("never has a wrong byte, and gaps of the right length: any talk", () => {
    fc.assert(
      fc.property(sizes, mishaps, (lengths, happened) => {
        const { packets, streams } = talk(lengths);
        const { directions, conflicts } = run(afflict(packets, happened));
        for (const { sender, pieces } of directions) {
          expect(isPartOf(streams[sender.startsWith("10.0.0.1") ? 0 : 1], pieces)).toBe(true);
        }
        expect(conflicts).toBe(0);
      }),
      { numRuns: 600, seed: 2 },
    );
  });

  test("has both streams completely if nothing is dropped or cut, and no acknowledgment precedes its data", () => {
    fc.assert(
      fc.property(sizes, mishaps, fc.boolean(), (lengths, happened, shuffled) => {
        const { packets, streams } = talk(lengths);
        const delay = shuffled ? happened.delay : [0];
        const isData = ({ data }: Recorded): boolean => data.length > 40;
        // Data may be reordered; acknowledgments, which are then not needed, are left out.
        const chosen = shuffled ? packets.filter((packet, index) => index < 3 || isData(packet)) : packets;
        const unacknowledged = chosen.map((packet, index) => {
          if (!shuffled || index < 3) return packet;
          const data = packet.data.slice();
          data.set([0, 0, 0, 0], 28);
          data[33] = (data[33] ?? 0) & ~0x10;
          return { ...packet, data };
        });
        const log = run([
          ...unacknowledged.slice(0, 3),
          ...afflict(unacknowledged.slice(3), { ...happened, drop: [false], cut: [9999], delay }),
        ]);
        const whole = log.directions.map(({ pieces }) => pieces);
        expect(whole.flat().every((piece) => typeof piece !== "number")).toBe(true);
        expect(whole.map((pieces) => Buffer.concat(pieces.filter(Buffer.isBuffer)))).toEqual(streams);
      }),
      { numRuns: 200, seed: 3 },
    );
  });
});
