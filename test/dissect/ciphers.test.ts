import { describe, expect, it } from "vitest";
import { Dissection } from "../../src/dissect/dissection.js";
import type { Cipher, ConversationHandle, Direction, Step } from "../../src/dissector/dissector.js";
import type { InternalError } from "../../src/dissector/failure.js";
import type { Limits } from "../../src/limits.js";
import { Network } from "../../src/network/network.js";
import { Tracker } from "../../src/session/tracker.js";
import { dissectPackets } from "../support/dissecting.js";
import { RAW } from "../support/network.js";
import { TcpTalk, udpPacket } from "../support/packets.js";
import { type ToyOptions, toyDissector, Word, words } from "../support/toy.js";

/** Ciphers come from dissectors: what happens when they throw, and at gaps that they are not advanced over. */

const WORD: Step = { step: "message", type: Word };
const clear: Cipher = { apply: () => {}, advance: () => {} };

/** A dissector that applies a cipher to what the server sends, from the beginning. */
function deciphering(cipher: Cipher, options: ToyOptions = {}) {
  const open = (handle: ConversationHandle) => handle.decrypt("s2c", cipher);
  return toyDissector({ name: "bad", open, next: () => WORD, ...options });
}

/** Throws at bytes that begin with an exclamation mark, or where bytes are missing. */
const touchy: Cipher = {
  apply(bytes, start = 0) {
    if (bytes[start] === 0x21) throw new Error("bang");
  },
  advance() {
    throw new Error("no skipping");
  },
};

function talk(port = 1111): TcpTalk {
  return new TcpTalk(["192.0.2.1", port], ["192.0.2.2", 5000], [1000, 9000]);
}

describe("a cipher set once a message has been decoded", () => {
  const flip: Cipher = {
    apply(bytes, start = 0, end = bytes.length) {
      for (let at = start; at < end; at++) bytes[at] = (bytes[at] ?? 0) ^ 0x55;
    },
    advance: () => {},
  };
  const flipped = (text: string) => words(text).map((byte) => byte ^ 0x55);

  it("applies to what follows that message", () => {
    let isOpen = false;
    const dissector = toyDissector({
      decoded: (direction, handle) => {
        if (direction !== "s2c" || isOpen) return;
        isOpen = true;
        handle.decrypt("s2c", flip);
      },
    });
    const tcp = talk();
    const together = Uint8Array.of(...words("hello"), ...flipped("one"));
    const packets = [...tcp.handshake(), tcp.send(0, words("hi")), tcp.send(1, together), tcp.send(1, flipped("two"))];
    const { messages } = dissectPackets(packets, { dissectors: [dissector] });
    const said = messages.filter(({ direction }) => direction === "s2c").map((message) => message.toJSON());
    expect(said).toMatchObject(["hello", "one", "two"].map((text) => ({ fields: { text } })));
  });
});

describe("a cipher applied to a datagram in its turn", () => {
  const shift: Cipher = {
    apply(bytes, start = 0, end = bytes.length) {
      for (let at = start; at < end; at++) bytes[at] = (bytes[at] ?? 0) - 1;
    },
    advance: () => {},
  };

  it("is applied before others are notified of the plaintext", () => {
    const dissector = toyDissector({
      next: (direction, _, handle) => {
        handle.decrypt(direction, shift);
        return WORD;
      },
    });
    const told: string[] = [];
    const plaintext = {
      bytes: () => {},
      gap: () => {},
      datagram: (_direction: Direction, bytes: Uint8Array) => void told.push(Buffer.from(bytes).toString()),
    };
    const observer = { opened: () => ({ plaintext }) };
    const tracker = new Tracker([dissector], new Dissection(() => {}), { observer });
    const ends = { source: "192.0.2.1", sourcePort: 1111, destination: "192.0.2.2", destinationPort: 5000 };
    const data = udpPacket(
      ends,
      words("hello").map((byte) => byte + 1),
    );
    const origin = { frame: 1, seconds: 0, nanoseconds: 0, linkType: RAW, originalLength: data.length };
    new Network(tracker).packet({ ...origin, data });
    expect(told).toEqual(["\x05hello"]);
  });
});

describe("a cipher that throws", () => {
  it.each([
    ["after a message", words("fine"), ["Word"], 5],
    ["in the middle of a message", words("half").slice(0, 2), [], 0],
  ])("%s causes one error and one skipped stretch; the other direction goes on", (_, before, messages, offset) => {
    const tcp = talk();
    const packets = [...tcp.handshake(), tcp.send(0, words("one")), tcp.send(1, before), tcp.send(1, "!abc")];
    packets.push(tcp.send(0, words("two")), tcp.send(1, "!def"), tcp.send(0, words("three")), tcp.fin(0), tcp.fin(1));
    const run = dissectPackets(packets, { dissectors: [deciphering(touchy)] });
    expect(run.errors).toMatchObject([{ error: new Error("bang"), dissector: "bad", direction: "s2c", offset }]);
    expect(run.direction("c2s")).toEqual(["Word", "Word", "Word"]);
    expect(run.direction("s2c")).toEqual([...messages, "skipped unknown"]);
    const length = before.length + 8 - offset;
    expect(run.message("skipped")).toMatchObject({ offset, length });
    expect(run.notes("skipped")).toEqual([
      `${length} bytes were skipped: no longer dissected after an error in the dissector "bad"`,
    ]);
    expect(run.waiting).toBe(0);
  });

  it.each(["apply", "advance"] as const)("only after %s() has returned is said to be async", (method) => {
    const late = async () => {
      throw new Error("late");
    };
    const tcp = talk();
    const packets = [...tcp.handshake(), tcp.send(0, words("one")), tcp.send(1, words("fine"))];
    tcp.send(1, words("lost"));
    packets.push(tcp.send(1, words("late")), tcp.fin(0), tcp.fin(1));
    const dissector = deciphering({ ...clear, [method]: late }, { candidate: () => undefined });
    const { errors } = dissectPackets(packets, { dissectors: [dissector] });
    const error = new TypeError(`a cipher's ${method}() returned a promise: it must not be async`);
    expect(errors).toMatchObject([{ error, dissector: "bad", direction: "s2c" }]);
  });

  it("does the same at a gap", () => {
    const tcp = talk();
    const packets = [...tcp.handshake(), tcp.send(0, words("one")), tcp.send(1, words("fine"))];
    tcp.send(1, words("lost"));
    packets.push(tcp.send(1, words("late")), tcp.send(0, words("two")), tcp.fin(0), tcp.fin(1));
    const run = dissectPackets(packets, { dissectors: [deciphering(touchy, { candidate: () => undefined })] });
    expect(run.errors).toMatchObject([{ error: new Error("no skipping"), dissector: "bad", direction: "s2c" }]);
    expect(run.direction("c2s")).toEqual(["Word", "Word"]);
    expect(run.direction("s2c")).toEqual(["Word", "gap truncated", "skipped unknown"]);
    expect(run.notes("skipped")[0]).toContain('an error in the dissector "bad"');
    expect(run.waiting).toBe(0);
  });

  it("is not used again: plaintext listeners get the rest as captured", () => {
    const told: string[] = [];
    const errors: unknown[] = [];
    const plaintext = {
      bytes: (direction: Direction, bytes: Uint8Array) =>
        void told.push(`${direction} ${Buffer.from(bytes).toString()}`),
      gap: () => {},
      datagram: () => {},
    };
    const observer = { opened: () => ({ plaintext }) };
    const onInternalError = ({ error }: InternalError) => void errors.push(error);
    const tracker = new Tracker([deciphering(touchy)], new Dissection(() => {}), { observer, onInternalError });
    const network = new Network(tracker);
    const tcp = talk();
    const packets = [...tcp.handshake(), tcp.send(0, words("one")), tcp.send(1, "!abc"), tcp.send(1, "!def")];
    for (const [index, data] of packets.entries()) {
      network.packet({
        frame: index + 1,
        seconds: 0,
        nanoseconds: 0,
        linkType: RAW,
        originalLength: data.length,
        data,
      });
    }
    expect(errors).toEqual([new Error("bang")]);
    expect(told.filter((text) => text.startsWith("s2c"))).toEqual(["s2c !abc", "s2c !def"]);
  });

  it("does not end other conversations", () => {
    const [bad, good] = [talk(1), talk(2)];
    const packets = [bad, good].flatMap((tcp) => [...tcp.handshake(), tcp.send(0, words("one"))]);
    packets.push(bad.send(1, "!abc"), good.send(1, words("fine")), good.send(0, words("two")));
    const run = dissectPackets(packets, { dissectors: [deciphering(touchy)] });
    expect(run.errors).toHaveLength(1);
    expect(run.lines).toEqual(["0 c2s Word", "1 c2s Word", "1 s2c Word", "1 c2s Word", "0 s2c skipped unknown"]);
    expect(run.waiting).toBe(0);
  });
});

describe("a gap that is too long for a cipher", () => {
  /** Makes the server's bytes wait until the client has spoken twice. */
  function waiting(): ToyOptions {
    let heard = 0;
    const next = (direction: Direction): Step => (direction === "s2c" && heard < 2 ? { step: "wait" } : WORD);
    const decoded = (direction: Direction) => {
      if (direction === "c2s") heard++;
    };
    return { next, decoded, candidate: () => undefined };
  }

  it("is not an error: what precedes it is dissected, and what follows it is skipped for that reason", () => {
    const tcp = talk();
    const packets = [...tcp.handshake(), tcp.send(0, words("one")), tcp.send(1, words("before"))];
    tcp.send(1, "x".repeat(30));
    packets.push(tcp.send(1, words("behind")), tcp.ack(0), tcp.ack(0), tcp.ack(0), tcp.send(0, words("two")));
    const dissectors = [deciphering(clear, waiting())];
    const run = dissectPackets([...packets, tcp.fin(0), tcp.fin(1)], { dissectors, limits: { cipherSkip: 29 } });
    expect(run.errors).toEqual([]);
    expect(run.direction("s2c")).toEqual(["Word", "gap truncated", "skipped truncated"]);
    expect(run.notes("skipped")).toEqual([
      "7 bytes were skipped: more than 29 bytes are missing before this, too many to advance the cipher past",
    ]);
    expect(run.waiting).toBe(0);
  });
});

describe("gaps in many conversations", () => {
  it("advance ciphers no further than the amount of captured bytes allows", () => {
    let taken = 0;
    const counting: Cipher = {
      ...clear,
      advance(count) {
        taken += count;
      },
    };
    const packets = Array.from({ length: 10 }, (_, port) => {
      const tcp = talk(port + 1);
      const before = [...tcp.handshake(), tcp.send(0, words("one")), tcp.send(1, words("before"))];
      tcp.send(1, "x".repeat(1000));
      return [...before, tcp.send(1, words("behind")), tcp.ack(0), tcp.fin(0), tcp.fin(1)];
    }).flat();
    const dissectors = [deciphering(counting, { candidate: () => ({ type: Word, bits: 100 }) })];
    const run = (limits: Partial<Limits>) => dissectPackets(packets, { dissectors, limits });

    const few = run({ cipherSkipAnyhow: 2500, cipherSkipForByte: 0 });
    expect(taken).toBe(2000);
    expect(few.errors).toEqual([]);
    expect(few.notes("skipped")).toHaveLength(8);
    expect(few.notes("skipped")[0]).toContain("too many bytes are missing in all conversations together");
    expect(few.lines.filter((line) => line.endsWith("skipped truncated"))).toHaveLength(8);

    taken = 0;
    const many = run({ cipherSkipAnyhow: 2500, cipherSkipForByte: 1000 });
    expect(taken).toBe(10_000);
    expect(many.lines.filter((line) => line.endsWith("skipped truncated"))).toEqual([]);
  });
});

describe("bytes after a gap", () => {
  it("count as waiting bytes", () => {
    const tcp = talk();
    const packets = [...tcp.handshake(), tcp.send(0, words("one")), tcp.send(1, "before")];
    tcp.send(1, "lost");
    for (let index = 0; index < 8; index++) packets.push(tcp.send(1, "behind".repeat(20)));
    packets.push(...[1, 2, 3].map(() => tcp.ack(0)), tcp.send(0, words("two")));
    const next = (direction: Direction): Step => (direction === "s2c" ? { step: "wait" } : WORD);
    const missing = "the other direction, which is needed to interpret this one, is missing";
    for (const [undecidedBytes, why] of [
      [1000, missing],
      [10_000, "the conversation ends"],
    ] as const) {
      const run = dissectPackets(packets, { dissectors: [toyDissector({ next })], limits: { undecidedBytes } });
      expect(run.direction("s2c")).toEqual(["gap truncated", "skipped truncated"]);
      expect(run.notes("skipped")[0]).toContain(`966 bytes were skipped: ${why}`);
      expect(run.waiting).toBe(0);
    }
  });
});
