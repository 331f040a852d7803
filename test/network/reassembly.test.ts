import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultLimits, type Limits } from "../../src/limits.js";
import type { Origin } from "../../src/network/conversation.js";
import { Reassembler } from "../../src/network/tcp/stream/reassembly.js";
import type { QueuedTotal, StreamSink } from "../../src/network/tcp/stream/stream-bytes.js";
import type { Side } from "../../src/network/tracked-conversation.js";
import { text } from "../support/packets.js";

/** Records the output: text as it is, gaps and the end in brackets. */
class Transcript implements StreamSink {
  text = "";
  readonly origins: number[] = [];

  bytes(_side: Side, bytes: Uint8Array, origin: Origin): void {
    this.text += Buffer.from(bytes).toString("latin1");
    this.origins.push(origin.frame);
  }

  gap(_side: Side, length: number, reason: "lost" | "cut", origin: Origin): void {
    this.text += `[${reason} ${length}]`;
    this.origins.push(origin.frame);
  }

  outOfOrder(): void {}
  conflict(): void {}

  finished(): void {
    this.text += "[fin]";
  }
}

/** A reassembler for text at positions relative to the stream's first byte. */
class Stream {
  readonly transcript = new Transcript();
  readonly reassembler: Reassembler;
  readonly #other: Reassembler;
  readonly #first: number;
  #frame = 0;

  constructor(first = 1000, limits: Partial<Limits> = {}, total: QueuedTotal = { bytes: 0 }) {
    this.reassembler = new Reassembler(0, this.transcript, { ...defaultLimits, ...limits }, total);
    this.#other = new Reassembler(1, this.transcript, { ...defaultLimits, ...limits }, total);
    this.#first = first;
  }

  start(): this {
    this.reassembler.start(this.#first | 0);
    return this;
  }

  segment(at: number, bytes: string | Uint8Array, cut = 0, fin = false): this {
    const origin = { frame: ++this.#frame, seconds: 0, nanoseconds: 0 };
    const copy = typeof bytes === "string" ? text(bytes) : bytes.slice();
    this.reassembler.segment((this.#first + at) | 0, copy, cut, fin, origin);
    // Whatever the reassembler keeps, it must have copied.
    copy.fill(0x2a);
    return this;
  }

  acknowledge(at: number, by = at): this {
    this.reassembler.acknowledge((this.#first + at) | 0, by, this.#other);
    return this;
  }

  /** Treats everything before that position as acknowledged long ago. */
  believe(at: number): this {
    this.reassembler.believe((this.#first + at) | 0);
    return this;
  }

  flush(): this {
    this.reassembler.flush({ frame: 99, seconds: 0, nanoseconds: 0 });
    return this;
  }

  get text(): string {
    return this.transcript.text;
  }
}

describe("segments in order", () => {
  test("are passed on without a copy", () => {
    const seen: Uint8Array[] = [];
    const sink = new Transcript();
    sink.bytes = (_side, bytes) => void seen.push(bytes);
    const reassembler = new Reassembler(0, sink, defaultLimits, { bytes: 0 });
    const bytes = text("as it is");
    reassembler.segment(5, bytes, 0, false, { frame: 1, seconds: 0, nanoseconds: 0 });
    expect(seen[0]).toBe(bytes);
  });

  test("begin with the first one without a SYN", () => {
    expect(new Stream().segment(50, "mid").segment(40, "before").segment(53, "stream").text).toBe("midstream");
  });

  test("may be empty", () => {
    const stream = new Stream().segment(7, "");
    expect(stream.reassembler.started).toBe(false);
    expect(stream.segment(0, "text").text).toBe("text");
  });
});

describe("repeated data", () => {
  test("is passed on once: repeated, in part, and as a keep-alive", () => {
    const stream = new Stream().start().segment(0, "abcdef");
    stream.segment(0, "ABCDEF").segment(3, "DEFghi").segment(8, "I").segment(9, "j");
    expect(stream.text).toBe("abcdefghij");
  });

  test("counts in its first form, even while it waits", () => {
    const stream = new Stream().start();
    stream.segment(4, "ef").segment(8, "ij").segment(2, "CDEFGHIJKL").segment(10, "klmn").segment(0, "ab");
    expect(stream.text).toBe("abCDefGHijKLmn");
  });

  test("counts in its first form if one segment fills several holes", () => {
    const stream = new Stream().start().segment(2, "c").segment(5, "fg").segment(0, "ABCDEFGHI");
    expect(stream.text).toBe("ABcDEfgHI");
  });
});

describe("segments out of order", () => {
  test("wait for what precedes them", () => {
    const stream = new Stream().start().segment(6, "ghi").segment(3, "def");
    expect(stream.text).toBe("");
    expect(stream.segment(0, "abc").text).toBe("abcdefghi");
    expect(stream.transcript.origins).toEqual([3, 2, 1]);
  });

  test("may cross the wrap of the sequence numbers", () => {
    const stream = new Stream(0xffff_fffd).start().segment(6, "ghi").segment(2, "cdef").segment(0, "ab");
    expect(stream.text).toBe("abcdefghi");
    const signed = new Stream(0x7fff_fffd).start().segment(6, "ghi").segment(2, "cdef").segment(0, "ab");
    expect(signed.text).toBe("abcdefghi");
  });

  test("cause a gap if the other side acknowledged the missing bytes long ago", () => {
    const stream = new Stream().start().segment(0, "ab").segment(4, "ef").acknowledge(3).believe(3);
    expect(stream.text).toBe("ab");
    expect(stream.acknowledge(4).text).toBe("ab");
    expect(stream.believe(4).text).toBe("ab[lost 2]ef");
    // The acknowledgment may also have come before.
    expect(stream.acknowledge(20).believe(20).segment(8, "ij").text).toBe("ab[lost 2]ef[lost 2]ij");
    expect(stream.segment(6, "late").segment(10, "kl").text).toBe("ab[lost 2]ef[lost 2]ijkl");
    expect(stream.transcript.origins).toEqual([1, 2, 2, 3, 3, 5]);
  });

  test("show what the other side has and the capture has not", () => {
    const stream = new Stream(0).start().segment(0, "ab").acknowledge(2);
    expect(stream.reassembler.acknowledgedUnseen).toBeUndefined();
    expect(stream.acknowledge(4).reassembler.acknowledgedUnseen).toBe(4);
    expect(stream.segment(2, "cd").reassembler.acknowledgedUnseen).toBeUndefined();
    // The FIN counts as one, and has no byte.
    expect(stream.segment(4, "", 0, true).acknowledge(5).reassembler.acknowledgedUnseen).toBeUndefined();
  });

  test("cause no gap while the other side has not acknowledged the missing bytes", () => {
    const stream = new Stream().start().segment(2, "cd").acknowledge(0).segment(4, "ef").acknowledge(0);
    expect(stream.segment(0, "ab").text).toBe("abcdef");
  });

  test("are not taken for lost because of an acknowledgment that has proved to be wrong", () => {
    const stream = new Stream().start().segment(0, "a").acknowledge(500).believe(500);
    stream.segment(1, "b").segment(3, "d").segment(2, "c").segment(5, "f").segment(4, "e").acknowledge(6);
    expect(stream.text).toBe("abcdef");
    expect(stream.segment(7, "h").acknowledge(8).believe(8).flush().text).toBe("abcdef[lost 1]h");
  });

  test("are taken for lost when acknowledged again, if more was sent again than the capture has", () => {
    const stream = new Stream().start().segment(0, "a").acknowledge(5).believe(5).segment(1, "b").segment(4, "e");
    expect(stream.text).toBe("ab");
    expect(stream.acknowledge(5).believe(5).text).toBe("ab[lost 2]e");
  });

  test("have nothing to do with acknowledgments of what cannot have been sent", () => {
    const stream = new Stream(1000, { resetWindow: 100 }).start().segment(0, "ab").acknowledge(2);
    stream.acknowledge(103).segment(3, "d");
    expect(stream.reassembler.acknowledgedUnseen).toBeUndefined();
    expect(stream.flush().text).toBe("ab[lost 1]d");
    // Nor does one more make a difference, unless it goes on from there: then the capture lacks a lot.
    expect(stream.acknowledge(500).acknowledge(500).flush().text).toBe("ab[lost 1]d");
    const outage = new Stream(1000, { resetWindow: 100 }).start().segment(0, "ab").acknowledge(2);
    expect(outage.acknowledge(500).acknowledge(550).flush().text).toBe("ab[lost 548]");
    // Acknowledged step by step, it can.
    const silent = new Stream(1000, { resetWindow: 100 }).start().acknowledge(100).acknowledge(200);
    expect(silent.flush().text).toBe("[lost 200]");
  });

  test("too far ahead to be plausible are left out", () => {
    const stream = new Stream().start().segment(0x7fff_ffff, "x").segment(0x8000_0010, "y").segment(0, "ab");
    expect(stream.flush().text).toBe("ab");
  });

  test("wait no longer than the limits allow", () => {
    const segments = new Stream(0, { heldSegments: 2 }).start().segment(2, "c").segment(4, "e");
    expect(segments.text).toBe("");
    expect(segments.segment(6, "g").text).toBe("[lost 2]c");

    const bytes = new Stream(0, { heldBytes: 9, heldOverhead: 2 }).start().segment(5, "fgh");
    expect(bytes.segment(10, "kl").text).toBe("");
    expect(bytes.segment(20, "x").text).toBe("[lost 5]fgh");

    const total = { bytes: 0 };
    const one = new Stream(0, { heldBytesInAll: 10, heldOverhead: 0 }, total).start().segment(1, "12345678");
    const other = new Stream(0, { heldBytesInAll: 10, heldOverhead: 0 }, total).start().segment(1, "1234");
    expect([one.text, other.text, total.bytes]).toEqual(["", "[lost 1]1234", 8]);
    expect(one.flush().text).toBe("[lost 1]12345678");
    expect(total.bytes).toBe(0);
  });
});

describe("data cut by the snap length", () => {
  test("is a gap in its place", () => {
    expect(new Stream().start().segment(0, "ab", 3).segment(5, "fg").text).toBe("ab[cut 3]fg");
    expect(new Stream().start().segment(5, "fg").segment(0, "", 5).text).toBe("[cut 5]fg");
    expect(new Stream().start().segment(2, "c", 2).segment(5, "f").segment(0, "ab").text).toBe("abc[cut 2]f");
  });

  test("is partly known where segments overlap", () => {
    const stream = new Stream().start().segment(0, "abcd").segment(2, "CDef", 4);
    expect(stream.segment(7, "hij", 2).text).toBe("abcdef[cut 4][cut 2]");
    expect(new Stream().start().segment(4, "ef").segment(0, "a", 7).text).toBe("a[cut 3]ef[cut 2]");
  });
});

describe("a FIN", () => {
  test("ends the stream once everything before it has arrived and it is acknowledged", () => {
    const stream = new Stream().start().segment(3, "de", 0, true);
    expect(stream.segment(0, "abc").text).toBe("abcde");
    expect(stream.acknowledge(5).text).toBe("abcde");
    expect(stream.acknowledge(6).text).toBe("abcde[fin]");
    expect(stream.segment(5, "more").segment(5, "", 0, true).flush().text).toBe("abcde[fin]");
    expect(stream.reassembler.unaccepted).toBe(4);
  });

  test("did not happen if more than it is acknowledged: what the sender has sent since counts", () => {
    const stream = new Stream()
      .start()
      .segment(0, "abc", 0, true)
      .acknowledge(3)
      .segment(3, "de")
      .segment(5, "f", 2, true);
    expect(stream.text).toBe("abc");
    expect(stream.acknowledge(5).text).toBe("abcdef");
    expect(stream.acknowledge(9).text).toBe("abcdef[cut 2][fin]");
    expect(stream.reassembler.unaccepted).toBe(0);
  });

  test("counts, and what was sent since does not, if only it is acknowledged", () => {
    const stream = new Stream().start().segment(0, "abc", 0, true).segment(3, "de").segment(1, "bcde");
    expect(stream.acknowledge(4).text).toBe("abc[fin]");
    expect(stream.reassembler.unaccepted).toBe(4);
  });

  test("did not happen if no acknowledgment is captured, but the sender goes on", () => {
    const stream = new Stream().start().segment(0, "abc", 0, true).segment(2, "cde").flush();
    expect([stream.text, stream.reassembler.unaccepted]).toEqual(["abcde", 0]);
  });

  test("after a hole waits for it, or for its acknowledgment", () => {
    expect(new Stream().start().segment(3, "", 0, true).acknowledge(4).believe(3).text).toBe("");
    expect(new Stream().start().segment(3, "", 0, true).acknowledge(4).believe(4).text).toBe("[lost 3][fin]");
    expect(new Stream().start().segment(3, "", 0, true).flush().text).toBe("[lost 3][fin]");
    expect(new Stream().start().segment(3, "", 0, true).segment(0, "abc").acknowledge(4).text).toBe("abc[fin]");
  });

  test("may be the only segment seen", () => {
    expect(new Stream().segment(8, "", 0, true).acknowledge(9).text).toBe("[fin]");
  });
});

describe("a segment far beyond everything else", () => {
  const FAR = 100_000_000;

  test("is believed once another one goes on from it", () => {
    const stream = new Stream().start().segment(0, "abc").segment(FAR, "xy");
    expect(stream.segment(3, "def").text).toBe("abcdef");
    expect(stream.segment(FAR + 2, "z").flush().text).toBe(`abcdef[lost ${FAR - 6}]xyz`);
    expect(stream.reassembler.unaccepted).toBe(0);
  });

  test("is believed once it is acknowledged", () => {
    const stream = new Stream()
      .start()
      .segment(0, "abc")
      .segment(FAR, "xy")
      .acknowledge(FAR + 2);
    expect(stream.believe(FAR + 2).text).toBe(`abc[lost ${FAR - 3}]xy`);
  });

  test("makes no gap otherwise, and is counted", () => {
    const stream = new Stream()
      .start()
      .segment(0, "abc")
      .segment(FAR, "xy")
      .segment(3 * FAR, "", 0, true);
    expect(stream.segment(3, "def").flush().text).toBe("abcdef");
    expect(stream.reassembler.unaccepted).toBe(2);
  });
});

describe("bytes before the first one", () => {
  test("are counted, but not the byte of a keep-alive", () => {
    const stream = new Stream().start().segment(0, "abc").segment(-1, "x").segment(-5, "vwxyzABC").segment(-9, "y");
    expect([stream.text, stream.reassembler.unaccepted]).toEqual(["abc", 6]);
  });
});

describe("several beginnings", () => {
  test("are decided by what is acknowledged", () => {
    const begun = () => {
      const stream = new Stream().start();
      stream.reassembler.start(5_000_000);
      stream.reassembler.start(9000);
      return stream;
    };
    expect(begun().acknowledge(0).segment(0, "abc").text).toBe("abc");
    expect(begun().acknowledge(4_999_000).segment(4_999_000, "abc").text).toBe("abc");
    expect(begun().acknowledge(4_999_003).segment(4_999_000, "abc").text).toBe("abc");
  });

  test("are decided by the first bytes, if these come first", () => {
    const stream = new Stream().start();
    stream.reassembler.start(5_000_000);
    expect(stream.segment(0, "abc").acknowledge(3).segment(3, "d").text).toBe("abcd");
  });

  test("do not move what was acknowledged", () => {
    const stream = new Stream().start().acknowledge(0);
    stream.reassembler.start(5_000_000);
    expect(stream.segment(0, "abc").text).toBe("abc");
  });
});

describe("the end of the capture", () => {
  test("gives up what is missing", () => {
    expect(new Stream().start().segment(2, "cd").segment(7, "hi").flush().text).toBe("[lost 2]cd[lost 3]hi");
  });

  test("reports what was acknowledged and never seen, except for what may have been the FIN", () => {
    expect(new Stream().start().segment(0, "ab").acknowledge(7).flush().text).toBe("ab[lost 5]");
    expect(new Stream().start().segment(0, "ab").acknowledge(3).flush().text).toBe("ab");
    expect(new Stream().acknowledge(7).flush().text).toBe("");
  });
});

describe("a stream", () => {
  interface Piece {
    readonly at: number;
    readonly bytes: Uint8Array;
  }

  /** A stream cut into segments that cover it, with others that overlap them, in any order. */
  const cutUp = fc.uint8Array({ minLength: 1, maxLength: 200 }).chain((bytes) => {
    const range = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 60 }));
    return fc
      .tuple(fc.array(fc.nat(bytes.length), { maxLength: 12 }), fc.array(range, { maxLength: 12 }))
      .chain(([cuts, extras]) => {
        const places = [...new Set([0, bytes.length, ...cuts])].sort((a, b) => a - b);
        const cover = places.slice(1).map((end, index): Piece => {
          const at = places[index] ?? 0;
          return { at, bytes: bytes.subarray(at, end) };
        });
        const more = extras.map(([at, length]): Piece => ({ at, bytes: bytes.subarray(at, at + length) }));
        const pieces = [...cover, ...more];
        const order = fc.shuffledSubarray(pieces, { minLength: pieces.length, maxLength: pieces.length });
        return fc.record({ bytes: fc.constant(bytes), pieces: order });
      });
  });

  const first = fc.oneof(
    fc.integer({ min: 0, max: 0xffff_ffff }),
    fc.integer({ min: 0xffff_ff00, max: 0xffff_ffff }),
    fc.integer({ min: 0x7fff_ff00, max: 0x8000_0000 }),
  );

  test("is the same however it is split, repeated and reordered", () => {
    fc.assert(
      fc.property(cutUp, first, ({ bytes, pieces }, sequence) => {
        const total = { bytes: 0 };
        const stream = new Stream(sequence, {}, total).start();
        for (const piece of pieces) stream.segment(piece.at, piece.bytes);
        stream.segment(bytes.length, "", 0, true).acknowledge(bytes.length + 1);
        expect(stream.text).toBe(`${Buffer.from(bytes).toString("latin1")}[fin]`);
        expect(total.bytes).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  test("has the first copy of each byte, and gaps exactly where none arrived", () => {
    const piece = fc.record({
      at: fc.nat(60),
      length: fc.integer({ min: 1, max: 20 }),
      cut: fc.constantFrom(0, 0, 0, 5),
    });
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 25 }), first, (pieces, sequence) => {
        const stream = new Stream(sequence).start();
        // One character per byte: the segment's letter, "!" if it was cut, "?" if nothing arrived.
        const model = new Array<string>(100).fill("?");
        let passed = 0;
        pieces.forEach(({ at, length, cut }, index) => {
          const letter = String.fromCharCode(0x41 + index);
          stream.segment(at, letter.repeat(length), cut);
          for (let place = Math.max(at, passed); place < at + length + cut; place++) {
            // A cut byte may still arrive while something before it is awaited.
            if (place < at + length && /[?!]/.test(model[place] ?? "")) model[place] = letter;
            else if (model[place] === "?") model[place] = "!";
          }
          while (/[^?]/.test(model[passed] ?? "?")) passed++;
        });
        const end = Math.max(...pieces.map(({ at, length, cut }) => at + length + cut));
        const unfolded = stream
          .flush()
          .text.replace(/\[(lost|cut) (\d+)\]/g, (_all, reason, length) =>
            (reason === "lost" ? "?" : "!").repeat(Number(length)),
          );
        expect(unfolded).toBe(model.slice(0, end).join(""));
      }),
      { numRuns: 500 },
    );
  });
});
