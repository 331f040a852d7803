import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { AcceptedStream } from "../../src/network/tcp/stream/accepted-stream.js";
import { RAW, TestNetwork } from "../support/network.js";
import { Flag, TcpTalk } from "../support/packets.js";

afterEach(() => {
  vi.restoreAllMocks();
});

/** A packet of a talk, and what happens to it on its way into the capture. */
interface Step {
  readonly side: 0 | 1;
  readonly kind: "data" | "acknowledgment" | "fin" | "rst" | "syn" | "forged";
  readonly size: number;
  /** How far the numbers of a forged one are from where they should be. */
  readonly off: number;
  readonly offAcknowledged: number;
  readonly fate: "there" | "lost" | "late" | "twice" | "cut";
}

const usually = <T>(value: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(value) }, { weight: 3, arbitrary: fc.constantFrom(...others) });

const off = fc.oneof(
  fc.constantFrom(0, 1, -1, 5, -5, 70_000, -70_000, 2 ** 31, 40_000_000),
  fc.integer({ min: -60, max: 60 }),
);

const step: fc.Arbitrary<Step> = fc.record({
  side: fc.constantFrom(0, 1),
  kind: usually<Step["kind"]>("data", "acknowledgment", "acknowledgment", "forged", "forged", "fin", "rst", "syn"),
  size: fc.integer({ min: 0, max: 40 }),
  off,
  offAcknowledged: off,
  fate: usually<Step["fate"]>("there", "lost", "late", "twice", "cut"),
});

function packetOf(talk: TcpTalk, { side, kind, size, off, offAcknowledged }: Step, index: number): Uint8Array {
  const payload = new Uint8Array(size).fill(index);
  switch (kind) {
    case "data":
      return talk.send(side, payload);
    case "acknowledgment":
      return talk.ack(side);
    case "fin":
      return talk.fin(side, payload);
    case "rst":
      return talk.rst(side, payload);
    case "syn":
      return talk.syn(side, size % 2 === 0 ? Flag.syn : Flag.syn | Flag.ack);
    case "forged": {
      const sequence = (talk.next(side) + off) >>> 0;
      const acknowledgment = (talk.next(side === 0 ? 1 : 0) + offAcknowledged) >>> 0;
      return talk.raw(side, { sequence, acknowledgment, payload });
    }
  }
}

/** All that happens in a capture of some steps. */
function eventsOf(steps: readonly Step[], opens: boolean): readonly string[] {
  const network = new TestNetwork({ doubtPackets: 4, heldSegments: 6 });
  const talk = new TcpTalk(["10.0.0.1", 4000], ["10.0.0.2", 14_617], [0xffff_ff80, 0x7fff_ff80]);
  if (opens) network.feed(...talk.handshake());
  let late: Uint8Array[] = [];
  for (const [index, step] of steps.entries()) {
    const packet = packetOf(talk, step, index);
    const waiting = late;
    late = [];
    if (step.fate === "late") late.push(packet);
    else if (step.fate === "cut") network.packet(packet, RAW, Math.max(40, packet.length - 7));
    else if (step.fate !== "lost") network.feed(packet);
    if (step.fate === "twice") network.feed(packet);
    network.feed(...waiting);
  }
  return [...network.end(), JSON.stringify(network.others), JSON.stringify(network.network.counts)];
}

describe("segments that are what is expected", () => {
  test("mean what they would mean if everything about them were considered", () => {
    let expected = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), fc.boolean(), (steps, opens) => {
        const goOn = vi.spyOn(AcceptedStream.prototype, "goOn");
        const quickly = eventsOf(steps, opens);
        expected += goOn.mock.calls.length;
        vi.spyOn(AcceptedStream.prototype, "isNext").mockReturnValue(false);
        const calls = goOn.mock.calls.length;
        const thoroughly = eventsOf(steps, opens);
        expect(goOn.mock.calls.length).toBe(calls);
        vi.restoreAllMocks();
        expect(quickly).toEqual(thoroughly);
      }),
      { numRuns: 300, seed: 7 },
    );
    expect(expected).toBeGreaterThan(500);
  });
});
