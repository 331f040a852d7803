import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/limits.js";
import { type SuspendedSegment, SuspendedSegments, sequenceLength } from "../../src/network/tcp/suspended-segments.js";
import { TcpFlag, TcpSegment } from "../../src/network/tcp/tcp.js";
import { TcpReset } from "../../src/network/tcp/tcp-reset.js";
import type { Side } from "../../src/network/tracked-conversation.js";

/** Around here the numbers begin again, those that are signed change their sign, or neither. */
const bases = [-20, 0x7fff_ffec, 5000];
const anySide = fc.constantFrom<Side>(0, 1);
const anyNumber = fc.tuple(fc.constantFrom(...bases), fc.nat(60)).map(([base, further]) => (base + further) | 0);

const anySegment = fc
  .record({
    sequence: anyNumber,
    acknowledgment: anyNumber,
    flags: fc.constantFrom(TcpFlag.ack, TcpFlag.ack, TcpFlag.ack | TcpFlag.fin, TcpFlag.syn, TcpFlag.rst, 0),
    payloadEnd: fc.nat(12),
    missing: fc.constantFrom(0, 0, 3, 0x9000_0000),
  })
  .map((parts) => Object.assign(new TcpSegment(), parts));

const anySent = fc.record({ side: anySide, segment: anySegment, isAsked: fc.boolean() });

function resetAt(sequence: number, payload = 4): TcpReset {
  return new TcpReset(0, sequence, true, payload, new SuspendedSegments(defaultLimits, { bytes: 0 }));
}

function suspended(side: Side, segment: TcpSegment): SuspendedSegment {
  return { side, segment, payload: new Uint8Array(), origin: { frame: 1, seconds: 0, nanoseconds: 0 } };
}

/** What an RST says of a segment, by looking at all that has come since. */
function expectedOf(since: readonly SuspendedSegment[], side: Side, asked: TcpSegment, window: number) {
  const own = since.filter((other) => other.side === side).map(({ segment }) => segment);
  const others = since.filter((other) => other.side !== side).map(({ segment }) => segment);
  const isAcknowledged = (segment: Readonly<TcpSegment>) => {
    const beyond = (asked.acknowledgment - segment.sequence) | 0;
    return beyond >= sequenceLength(segment) && beyond > 0 && beyond <= window;
  };
  let next = asked.acknowledgment;
  for (const segment of own) {
    const end = (segment.sequence + sequenceLength(segment)) | 0;
    if ((segment.flags & TcpFlag.syn) === 0 && ((segment.sequence - next) | 0) <= 0 && ((end - next) | 0) > 0)
      next = end;
  }
  return {
    isContradicted: (asked.flags & TcpFlag.ack) !== 0 && others.some(isAcknowledged),
    isRepeated: own.some(({ sequence }) => sequence === asked.sequence),
    next,
  };
}

describe("what has come since an RST", () => {
  it("is known as if all of it was looked at for each segment", () => {
    const windows = fc.constantFrom(0, 10, 40, 65_535, 0x7fff_ffff, 0xffff_ffff);
    fc.assert(
      fc.property(fc.array(anySent, { maxLength: 40 }), windows, (all, window) => {
        const reset = resetAt(5000);
        const since: SuspendedSegment[] = [];
        for (const { side, segment, isAsked } of all) {
          if (isAsked || sequenceLength(segment) === 0) {
            const isContradicted = reset.isContradictedBy(side, segment, window);
            const isRepeated = reset.isRepeatedBy(side, segment);
            const next = reset.nextOf(side, segment.acknowledgment);
            expect({ isContradicted, isRepeated, next }).toEqual(expectedOf(since, side, segment, window));
          } else {
            since.push(suspended(side, segment));
            expect(reset.keep(suspended(side, segment))).toEqual(undefined);
          }
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("is data if something goes on from it", () => {
    fc.assert(
      fc.property(fc.array(anySent, { maxLength: 20 }), anyNumber, fc.nat(3), (all, sequence, payload) => {
        const reset = resetAt(sequence, payload);
        const since = all.map(({ side, segment }) => suspended(side, segment));
        for (const one of since) reset.keep(one);
        const goesOnAt = (side: Side, end: number) =>
          since.some((later) => later.side === side && later.segment.sequence === (end | 0));
        expect(reset.hasData).toEqual(payload > 0 && goesOnAt(0, sequence + payload));
        const data = since.filter(({ side, segment }) => {
          const isReset = (segment.flags & TcpFlag.rst) !== 0;
          return !isReset || goesOnAt(side, segment.sequence + segment.payloadEnd + segment.missing);
        });
        expect([...reset.takeData()]).toEqual(data);
      }),
      { numRuns: 1000 },
    );
  });

  it("is forgotten once it was taken out", () => {
    const reset = resetAt(1000);
    const sent = Object.assign(new TcpSegment(), { sequence: 50, payloadEnd: 5 });
    reset.keep(suspended(1, sent));
    expect(reset.nextOf(1, 50)).toBe(55);
    expect(reset.takeAll()).toHaveLength(1);
    expect(reset.nextOf(1, 50)).toBe(50);
    expect(reset.isRepeatedBy(1, sent)).toBe(false);
    const answer = Object.assign(new TcpSegment(), { flags: TcpFlag.ack, acknowledgment: 55 });
    expect(reset.isContradictedBy(0, answer, 100)).toBe(false);
  });

  it("is not gone through for each segment that comes", () => {
    let read = 0;
    class Counting extends TcpSegment {
      readonly #own: number;

      constructor(sequence: number) {
        super();
        this.#own = sequence;
        Object.defineProperty(this, "sequence", {
          get: () => {
            read++;
            return this.#own;
          },
        });
      }
    }
    const reset = resetAt(1000);
    const segments = Array.from({ length: 4000 }, (_, at) =>
      Object.assign(new Counting(10_000 + 4 * at), { payloadEnd: 4, flags: TcpFlag.ack, acknowledgment: 9000 }),
    );
    for (const segment of segments) {
      reset.isContradictedBy(1, segment, 65_535);
      reset.isRepeatedBy(0, segment);
      reset.nextOf(0, 10_000);
      reset.keep(suspended(0, segment));
    }
    expect(read).toBeLessThan(10 * segments.length);
  });
});
