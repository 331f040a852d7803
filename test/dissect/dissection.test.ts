import { describe, expect, it } from "vitest";
import type { Step, Window } from "../../src/dissector/dissector.js";
import type { Direction } from "../../src/network/conversation.js";
import { rest, struct, text, u8 } from "../../src/schema/index.js";
import { type DissectedRun, dissectPackets } from "../support/dissecting.js";
import { touchedBy } from "../support/growth.js";
import { TcpTalk, udpPacket } from "../support/packets.js";
import { Piece, Strange, type ToyOptions, toyDissector, Word, words } from "../support/toy.js";

/** What happens to the steps that a dissector asks for, whatever the protocol. */

type Side = 0 | 1;

function talk(port = 1111): TcpTalk {
  return new TcpTalk(["192.0.2.1", port], ["192.0.2.2", 5000], [100 * port, 900]);
}

type Said = readonly [Side, Uint8Array | string];

/** A whole connection in which these bytes are sent, each in its own packet. */
function connection(...said: readonly Said[]): Uint8Array[] {
  return connectionFrom(1111, ...said);
}

function connectionFrom(port: number, ...said: readonly Said[]): Uint8Array[] {
  const tcp = talk(port);
  const packets = [...tcp.handshake(), ...said.map(([side, bytes]) => tcp.send(side, bytes))];
  return [...packets, tcp.fin(0), tcp.fin(1)];
}

function dissect(
  packets: readonly (Uint8Array | readonly [Uint8Array, number])[],
  options: ToyOptions = {},
): DissectedRun {
  return dissectPackets(packets, { dissectors: [toyDissector(options)] });
}

/** The texts of the words found. */
function texts(run: DissectedRun): string[] {
  return run.messages
    .filter(({ name }) => name === "Word")
    .map(({ nodes }) => String(nodes?.value(nodes.child(0, "text"))));
}

const WORD: Step = { step: "message", type: Word };

function everyStep(step: Step): ToyOptions {
  return { next: () => step };
}

/** Handles what comes from clients with this step; what comes from servers are words. */
function stepOfClients(step: Step): ToyOptions {
  return { next: (direction) => (direction === "c2s" ? step : WORD) };
}

it("bytes that wait for the rest of their messages make room for others when their conversations end", () => {
  const packets = [4444, 5555, 6666].flatMap((port) => connectionFrom(port, [0, "\x30begun"]));
  const run = dissectPackets(packets, { dissectors: [toyDissector()], limits: { waitingBytes: 80 } });
  expect(run.notes("skipped").filter((text) => text.includes("too many"))).toEqual([]);
});

describe("a message", () => {
  it("is found wherever packets are cut", () => {
    const bytes = words("one", "two", "", "three");
    for (let cut = 1; cut < bytes.length; cut++) {
      const run = dissect(connection([0, bytes.slice(0, cut)], [0, bytes.slice(cut)]));
      expect(texts(run)).toEqual(["one", "two", "", "three"]);
      expect(run.messages.map(({ offset }) => offset)).toEqual([0, 4, 8, 9]);
    }
  });

  it("has the frames that its bytes came in, and the time of the last of them", () => {
    const run = dissect(connection([0, "\x05ab"], [1, words("x")], [0, "c"], [0, "de\x01f"]));
    expect(run.messages.map(({ frames }) => frames)).toEqual([[5], [4, 6, 7], [7]]);
    expect(run.messages.map(({ origin }) => origin.seconds)).toEqual([5, 7, 7]);
  });

  it("has each frame once, in byte order, if a later frame covers what surrounds an earlier one", () => {
    const [pieces, whole] = [talk(), talk()];
    const opened = pieces.handshake();
    whole.handshake();
    pieces.send(0, "\x05a");
    const run = dissect([...opened, pieces.send(0, "bc"), whole.send(0, "\x05abcde")]);
    expect(texts(run)).toEqual(["abcde"]);
    expect(run.messages.map(({ frames }) => frames)).toEqual([[5, 4]]);
    expect(run.messages.map(({ origin }) => origin.frame)).toEqual([5]);
  });

  it("of a given length takes that length", () => {
    const run = dissect(
      connection([0, "\x01\x02\x00\x00\x00more\x01"]),
      everyStep({ step: "message", type: Piece, length: 9 }),
    );
    expect(run.lines).toEqual(["0 c2s Piece malformed", "0 c2s Piece truncated"]);
    expect(run.notes("Piece")).toContain("4 bytes left over after the last field");
  });

  it("may take all remaining bytes if its sender has hung up after it", () => {
    const type = struct("Line", { kind: u8, text: text(rest) });
    const run = dissect(connection([0, "\x03abc"]), everyStep({ step: "message", type }));
    expect(run.lines).toEqual(["0 c2s Line"]);
    expect(run.notes("Line")).toEqual([]);
  });

  it("is not requested again before its missing bytes have arrived", () => {
    let asked = 0;
    const next = () => {
      asked++;
      return { step: "message", type: Piece, length: 1000 } as const;
    };
    const pieces = Array.from({ length: 1000 }, (): readonly [Side, string] => [0, "x"]);
    dissect(connection(...pieces), { next });
    expect(asked).toBeLessThan(5);
  });
});

describe("an incomplete message", () => {
  it("at the end of the capture is truncated", () => {
    const run = dissect(connection([0, "\x09four"]).slice(0, -2));
    expect(run.lines).toEqual(["0 c2s Word truncated"]);
    expect(run.messages[0]?.length).toBe(5);
  });

  it("of a given length is truncated even if all of its fields are present", () => {
    const run = dissect(
      connection([0, "\x01\x02\x00\x00\x00abc"]),
      everyStep({ step: "message", type: Piece, length: 20 }),
    );
    expect(run.lines).toEqual(["0 c2s Piece truncated", "0 c2s skipped truncated"]);
    expect(run.notes("Piece")).toEqual(["the connection was closed after 8 of the 20 bytes of Piece"]);
    expect(run.notes("skipped")[0]).toContain("3 bytes were skipped: part of Piece");
    const open = connection([0, "\x01\x02\x00\x00\x00abc"]).slice(0, -2);
    const broken = dissect(open, everyStep({ step: "message", type: Piece, length: 20 }));
    expect(broken.notes("Piece")).toEqual(["the capture holds 8 of the 20 bytes of Piece"]);
  });

  it.each([17 * 1024 * 1024, 0xffff_ffff])("that claims %i bytes is malformed", (length) => {
    for (const ended of [true, false]) {
      const packets = connection([0, "\x01\x02\x00\x00\x00"], [1, words("on")]);
      const step = stepOfClients({ step: "message", type: Piece, length });
      const run = dissect(ended ? packets : packets.slice(0, -2), step);
      expect(run.lines).toEqual(["0 c2s Piece malformed", "0 s2c Word"]);
      expect(run.notes("Piece")[0]).toContain(`at least ${length} bytes`);
    }
  });
});

describe("a step", () => {
  it("that asks for more gets it, or is reported at the end", () => {
    const next = (_: Direction, { start, end }: Window): Step => (end - start < 4 ? { step: "more", bytes: 4 } : WORD);
    const run = dissect(connection([0, "\x03a"], [0, "bc"], [0, "\x01"]), { next });
    expect(run.lines).toEqual(["0 c2s Word", "0 c2s skipped truncated"]);
    expect(run.notes("skipped")).toEqual(["1 byte was skipped: the stream ends too early to tell what this is"]);
  });

  it("that waits for the other direction goes on with it, in the order of the packets", () => {
    let answered = false;
    const run = dissect(
      connection([0, words("first")], [0, words("second")], [1, words("third")], [0, words("fourth")]),
      {
        next: (direction) => (direction === "c2s" && !answered ? { step: "wait" } : WORD),
        decoded: (direction) => {
          answered ||= direction === "s2c";
        },
      },
    );
    expect(texts(run)).toEqual(["third", "first", "second", "fourth"]);
  });

  it("that searches skips what is not a message", () => {
    let isSearched = false;
    const run = dissect(connection([0, "\x7f\x7f\x7f\x04four"], [0, words("more")]), {
      next: () => {
        if (isSearched) return WORD;
        isSearched = true;
        return { step: "search" };
      },
      candidate: ({ view, start }) => (view.getUint8(start) === 4 ? { type: Word, bits: 60 } : undefined),
    });
    expect(run.lines).toEqual(["0 c2s skipped truncated", "0 c2s Word", "0 c2s Word"]);
    expect(texts(run)).toEqual(["four", "more"]);
    expect(run.notes("skipped")).toEqual([
      "3 bytes were skipped: the first message found at the start of the capture comes next",
    ]);
  });

  it("that searches later on does not say that it was at the beginning", () => {
    let steps = 0;
    const run = dissect(connection([0, words("one")], [0, "\x7f\x7f\x7f\x04four"]), {
      next: () => {
        steps++;
        return steps === 2 ? { step: "search" } : WORD;
      },
      candidate: ({ view, start }) => (view.getUint8(start) === 4 ? { type: Word, bits: 60 } : undefined),
    });
    expect(run.lines).toEqual(["0 c2s Word", "0 c2s skipped unknown", "0 c2s Word"]);
    expect(run.notes("skipped")).toEqual(["3 bytes were skipped: the first message found by searching comes next"]);
    expect(run.messages.at(-1)?.notes[0]?.text).toBe("found by searching: from here on a message makes sense");
  });

  it("that says encrypted ends the direction with one remark", () => {
    const step = stepOfClients({ step: "encrypted", reason: "encrypted, for a test" });
    const run = dissect(connection([0, "abc"], [1, words("on")], [0, "defg"]), step);
    expect(run.lines).toEqual(["0 s2c Word", "0 c2s encrypted encrypted"]);
    expect(run.messages.at(-1)).toMatchObject({ length: 7, offset: 0, frames: [4, 6] });
    expect(run.notes("encrypted")).toEqual(["encrypted, for a test"]);
  });

  it("that says foreign ends the direction, of which only the length is shown", () => {
    const step = stepOfClients({ step: "foreign", reason: "somebody else speaks, for a test" });
    const run = dissect(connection([0, "abc"], [1, words("on")], [0, "defg"]), step);
    expect(run.lines).toEqual(["0 s2c Word", "0 c2s skipped unknown"]);
    expect(run.messages.at(-1)).toMatchObject({ length: 7, offset: 0, frames: [4, 6], nodes: undefined });
    expect(run.notes("skipped")).toEqual(["7 bytes were skipped: somebody else speaks, for a test"]);
  });

  it.each(["unknown", "malformed"] as const)("that says %s shows the head, and ends the direction", (step) => {
    const unknown = stepOfClients({ step, name: "Mystery_7", head: Strange, reason: "7 is for tests" });
    const run = dissect(connection([0, "\x07abc"], [1, words("on")], [0, "defg"]), unknown);
    expect(run.lines).toEqual([`0 c2s Mystery_7 ${step}`, "0 s2c Word", `0 c2s skipped ${step}`]);
    expect(run.notes("Mystery_7")).toEqual(["7 is for tests"]);
    expect(run.notes("skipped")).toEqual([
      "4 bytes were skipped: no message can be found after Mystery_7, whose end is not known",
    ]);
    expect(run.message("Mystery_7").toJSON()).toMatchObject({ fields: { kind: 7, undissected: "616263" } });
  });

  it("that says unknown with a length continues after it", () => {
    const packets = connection([0, "\x07a"], [0, "bc\x02on"]);
    const run = dissect(packets, {
      next: (_, { view, start }) =>
        view.getUint8(start) === 7
          ? { step: "unknown", name: "Mystery_7", head: Strange, reason: "7 is for tests", length: 4 }
          : WORD,
    });
    expect(run.lines).toEqual(["0 c2s Mystery_7 unknown", "0 c2s Word"]);
    expect(run.message("Mystery_7").toJSON()).toMatchObject({ fields: { kind: 7, undissected: "616263" } });
  });

  it.each(["unknown", "malformed"] as const)("that says %s keeps its length, however short its head is", (step) => {
    const head = struct("Head", { kind: u8 });
    const run = dissect(connection([0, "\x07abc\x02on"]), {
      next: (_, { view, start }) =>
        view.getUint8(start) === 7 ? { step, name: "Mystery_7", head, reason: "7 is for tests", length: 4 } : WORD,
    });
    expect(run.lines).toEqual([`0 c2s Mystery_7 ${step}`, "0 c2s Word"]);
    expect(run.message("Mystery_7").toJSON()).toMatchObject({ fields: { kind: 7, undissected: "616263" } });
  });

  it("that says unknown keeps its length if its head has no bytes", () => {
    const head = struct("Nothing", {});
    const run = dissect(connection([0, "\x07abc\x02on"]), {
      next: (_, { view, start }) =>
        view.getUint8(start) === 7
          ? { step: "unknown", name: "Mystery_7", head, reason: "7 is for tests", length: 4 }
          : WORD,
    });
    expect(run.lines).toEqual(["0 c2s Mystery_7 unknown", "0 c2s Word"]);
    expect(run.message("Mystery_7")).toMatchObject({ offset: 0, length: 4 });
    expect(run.notes("Mystery_7")).toEqual(["4 bytes left over after the last field: not declared", "7 is for tests"]);
  });
});

describe("a gap", () => {
  it("in a direction that cannot resynchronise ends it; the other direction goes on", () => {
    const tcp = talk();
    const packets = [
      ...tcp.handshake(),
      tcp.send(0, words("one")),
      tcp.send(1, words("two")),
      tcp.send(0, words("lost")),
      tcp.send(1, words("three")),
      tcp.send(0, words("late")),
      tcp.send(1, words("four")),
    ];
    const run = dissect(packets.filter((_, index) => index !== 5));
    expect(run.direction("c2s")).toEqual(["Word", "gap truncated", "skipped truncated"]);
    expect(run.direction("s2c")).toEqual(["Word", "Word", "Word"]);
    expect(run.notes("gap")).toEqual(["5 bytes were not captured"]);
    expect(run.message("gap")).toMatchObject({ offset: 4, length: 5 });
    expect(run.message("skipped")).toMatchObject({ offset: 9, length: 5 });
  });

  it("in a message cuts it", () => {
    const tcp = talk();
    const packets = [
      ...tcp.handshake(),
      tcp.send(0, "\x06ab"),
      tcp.send(0, "cd"),
      tcp.send(0, "ef"),
      tcp.send(1, "\x00"),
    ];
    const run = dissect(packets.filter((_, index) => index !== 4));
    expect(run.direction("c2s")).toEqual(["Word truncated", "gap truncated", "skipped truncated"]);
    expect(run.notes("Word")).toEqual(["text needs 6 bytes (length says so) at offset 1; the capture holds 2"]);
  });

  /** Words whose head gives the length of the message; all but the packets at some places were captured. */
  function toldWords(said: readonly string[], ...lost: readonly number[]): DissectedRun {
    const told = (_: Direction, { view, start }: Window): Step => {
      return { step: "message", type: Word, length: 1 + view.getUint8(start) };
    };
    const packets = connection(...said.map((bytes): [Side, string] => [0, bytes]));
    return dissect(
      packets.filter((_, index) => !lost.includes(index - 3)),
      { next: told },
    );
  }

  it("in a message of a given length ends where that does, or is followed by the rest of it", () => {
    const run = toldWords(["\x06ab", "cdef", "\x02on", "\x06ab", "cd", "e", "f\x03and", "\x02on"], 1, 4);
    const inTwo = ["Word truncated", "gap truncated"];
    expect(run.direction("c2s")).toEqual([...inTwo, "Word", ...inTwo, "skipped truncated", "Word", "Word"]);
    expect(run.messages.map(({ offset }) => offset)).toEqual([0, 3, 7, 10, 13, 15, 17, 21]);
    expect(run.notes("skipped")).toEqual(["2 bytes were skipped: part of an incomplete message"]);
    expect(run.message("skipped")).toMatchObject({ offset: 15, length: 2 });
  });

  it("in the rest of a message of a given length does not move its end", () => {
    const run = toldWords(["\x09ab", "cd", "e", "f", "ghi\x02on"], 1, 3);
    const piece = ["gap truncated", "skipped truncated"];
    expect(run.direction("c2s")).toEqual(["Word truncated", ...piece, ...piece, "Word"]);
    expect(run.messages.map(({ offset }) => offset)).toEqual([0, 3, 5, 6, 7, 10]);
  });

  it("beyond the end of a message of a given length hides where the next one begins", () => {
    const run = toldWords(["\x06ab", "cdef\x02o", "n\x02on"], 1);
    expect(run.direction("c2s")).toEqual(["Word truncated", "gap truncated", "skipped truncated"]);
    expect(run.notes("skipped")[0]).toContain("no message was found after a gap");
  });

  it("caused by the snap length is reported once, and counted from then on", () => {
    const packets = connection(...Array.from({ length: 500 }, (): readonly [Side, string] => [0, "\x09ninechars"]));
    const run = dissect(packets.map((packet) => [packet, 44] as const));
    expect(run.lines.length).toBeLessThan(6);
    expect(run.lines[0]).toBe("0 c2s Word truncated");
    expect(run.notes("gap")[0]).toBe("6 bytes were cut off when captured");
    expect(run.notes("skipped")[0]).toMatch(/^1996 bytes were skipped: .*; 2988 more bytes are missing in 498 gaps$/);
    expect(run.message("skipped")).toMatchObject({ offset: 10, length: 1996, frames: [5, 503] });
  });

  it("that takes the whole payload of packets is counted even where no bytes were skipped", () => {
    const packets = connection(...["one", "two", "three", "four"].map((word): Said => [0, words(word)]));
    const run = dissect(packets.map((packet, index) => [packet, index === 3 ? packet.length : 40] as const));
    expect(run.direction("c2s")).toEqual(["Word", "gap truncated", "gap truncated", "gap truncated"]);
    expect(run.notes("gap")).toEqual([
      "4 bytes were cut off when captured",
      "6 bytes were cut off when captured",
      "5 more bytes are missing in 1 gap",
    ]);
    expect(run.messages.map(({ offset, length }) => [offset, length])).toEqual([
      [0, 4],
      [4, 4],
      [8, 6],
      [14, 5],
    ]);
  });

  it("of a billion bytes costs no more than one of a few", async () => {
    const tcp = talk();
    const packets = [...tcp.handshake(), tcp.send(0, words("one"))];
    const acknowledges = tcp.raw(1, { acknowledgment: (tcp.next(0) + 1_000_000_000) >>> 0 });
    const later = tcp.raw(0, { sequence: (tcp.next(0) + 999_999_990) >>> 0, payload: words("two") });
    let steps = 0;
    const next = () => {
      steps++;
      return WORD;
    };
    const { result, touched } = await touchedBy(() => dissect([...packets, later, acknowledges], { next }));
    expect(result.direction("c2s").slice(0, 2)).toEqual(["Word", "gap truncated"]);
    expect(steps).toBeLessThan(10);
    expect(touched).toBeLessThan(10_000);
  });
});

describe("an error in a dissector", () => {
  const bang = new Error("bang");
  const others = connectionFrom(2222, [0, words("safe")], [1, words("sound")]);

  it("ends the direction in which it happens, and is reported once", () => {
    const run = dissect(
      [...connection([0, words("one")], [1, words("two")], [0, words("three")], [1, words("four")]), ...others],
      {
        next: (direction, _, handle) => {
          if (direction === "c2s" && handle.client.port === 1111 && handle.pending("c2s").length === 6) throw bang;
          return WORD;
        },
      },
    );
    expect(run.errors).toMatchObject([{ error: bang, stream: 0, direction: "c2s", offset: 4 }]);
    expect(texts(run)).toEqual(["one", "two", "four", "safe", "sound"]);
    expect(run.direction("c2s").at(-1)).toMatch(/^skipped/);
    expect(run.notes("skipped")[0]).toContain("6 bytes were skipped");
  });

  it("while a message is reported to it is contained", () => {
    let told = 0;
    const run = dissect([...connection([0, words("one", "two")]), ...others], {
      decoded: () => {
        if (told++ === 1) throw bang;
      },
    });
    expect(run.errors.map(({ error }) => error)).toEqual([bang]);
    expect(texts(run)).toEqual(["one", "safe", "sound"]);
  });
});

describe("a datagram that was cut", () => {
  const ends = { source: "192.0.2.1", sourcePort: 1111, destination: "192.0.2.2", destinationPort: 5000 };

  it.each([
    ["is truncated if its message takes all bytes", struct("Line", { kind: u8, text: text(rest) }), "truncated"],
    ["is not if its message ends before that", struct("Line", { kind: u8, text: text("kind") }), "ok"],
  ])("%s", (_, type, status) => {
    const packet = udpPacket(ends, Buffer.from("\x03abcdefgh"));
    const run = dissect([[packet, packet.length - 5]], everyStep({ step: "message", type }));
    expect(run.lines).toEqual([`0 c2s Line ${status}`.replace(" ok", ""), "0 c2s gap truncated"]);
    if (status === "truncated") expect(run.notes("Line")).toEqual(["the capture holds 4 bytes of Line"]);
    const line = run.message("Line");
    expect([line.length, line.toJSON()]).toMatchObject([4, { fields: { kind: 3, text: "abc" } }]);
  });
});

describe("a datagram", () => {
  const ends = { source: "192.0.2.1", sourcePort: 1111, destination: "192.0.2.2", destinationPort: 5000 };
  const datagram = (content: Uint8Array | string) => udpPacket(ends, Buffer.from(content));

  it("contains its messages completely", () => {
    const packets = [datagram(words("one")), datagram("\x09cut"), datagram(words("two")), datagram("\x01xmore")];
    const run = dissect(packets);
    expect(run.lines).toEqual(["0 c2s Word", "0 c2s Word malformed", "0 c2s Word", "0 c2s Word malformed"]);
    expect(run.messages.map(({ frames }) => frames)).toEqual([[1], [2], [3], [4]]);
  });

  it("is malformed if its message says that it is longer", () => {
    const type = struct("Line", { kind: u8, text: text(rest) });
    const run = dissect([datagram("\x03abc"), datagram("\x03ab")], everyStep({ step: "message", type, length: 4 }));
    expect(run.lines).toEqual(["0 c2s Line", "0 c2s Line malformed"]);
    expect(run.notes("Line")).toEqual(["Line would have 4 bytes; its datagram ends after 3"]);
  });

  it("that the snap length has cut is truncated, and the next one is whole", () => {
    const run = dissect([[datagram(words("lengthy")), 33], datagram(words("two"))]);
    expect(run.lines).toEqual(["0 c2s Word truncated", "0 c2s gap truncated", "0 c2s Word"]);
  });

  it("that cannot be read, or makes a dissector fail, does not affect the next one", () => {
    const steps: readonly (() => Step)[] = [
      () => ({ step: "encrypted", reason: "encrypted, for a test" }),
      () => ({ step: "unknown", name: "Mystery_7", head: Strange, reason: "7 is for tests" }),
      () => ({ step: "more", bytes: 100 }),
      () => {
        throw new Error("bang");
      },
      () => WORD,
    ];
    const left = [...steps];
    const run = dissect(
      steps.map(() => datagram(words("one"))),
      { next: () => left.shift()?.() ?? { step: "wait" } },
    );
    expect(run.lines).toEqual([
      "0 c2s encrypted encrypted",
      "0 c2s Mystery_7 unknown",
      "0 c2s skipped truncated",
      "0 c2s skipped unknown",
      "0 c2s Word",
    ]);
    expect(run.errors).toHaveLength(1);
  });
});
