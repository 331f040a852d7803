import type { Step } from "../../src/dissector/dissector.js";
import type { Limits } from "../../src/limits.js";
import { bytes, struct, text, u8 } from "../../src/schema/index.js";
import { concat } from "../support/packets.js";
import { toyDissector, words } from "../support/toy.js";
import { captured, dissected, type Scenario, talk } from "./scenario.js";

const MARK = 0x7e;
const FAKE = 0x01;
/** Words that a search can find. */
const Marked = struct("Word", { mark: u8, length: u8, text: text("length") });
/** What noise can be mistaken for. */
const Fake = struct("Fake", { mark: u8, noise: bytes(50) });

const findable = toyDissector({
  next: (): Step => ({ step: "message", type: Marked }),
  candidate: ({ view, start, end }) => {
    if (view.getUint8(start) === FAKE) return { type: Fake, bits: 20 };
    if (view.getUint8(start) !== MARK) return undefined;
    const length = end - start < 2 ? undefined : 2 + view.getUint8(start + 1);
    return { type: Marked, bits: 16, ...(length !== undefined && { length }) };
  },
});

function marked(...list: readonly string[]): Uint8Array {
  return concat(...list.map((word) => concat(Uint8Array.of(MARK), words(word))));
}

/** A word, a gap, and what follows it, in packets of 20 bytes. */
async function afterGap(behind: Uint8Array, limits: Partial<Limits>) {
  const tcp = talk();
  const packets = [...tcp.handshake(), tcp.send(0, marked("first"))];
  tcp.send(0, marked("lost"));
  for (let at = 0; at < behind.length; at += 20) packets.push(tcp.send(0, behind.slice(at, at + 20)));
  const { lines, notes } = await dissected(captured([...packets, tcp.fin(0)]), limits, { dissectors: [findable] });
  return { lines: lines.map((line) => line.replace(/\.+$/, "")), notes };
}

const lost = "6 bytes were not captured";

export const dissectScenarios = {
  messageBytes: {
    value: 20,
    observe: async (limits) => {
      const tcp = talk();
      const opened = tcp.handshake();
      const word = words("x".repeat(30));
      const said = [tcp.send(0, word.slice(0, 10)), tcp.send(0, word.slice(10)), tcp.send(1, words("on"))];
      const { messages, notes } = await dissected(captured([...opened, ...said]), limits);
      return { statuses: messages.map(({ direction, name, status }) => `${direction} ${name} ${status}`), notes };
    },
    limited: {
      statuses: ["c2s Word malformed", "s2c Word ok", "c2s skipped malformed"],
      notes: [
        "text needs 30 bytes (length says so) at offset 1; 9 are left",
        "21 bytes were skipped: no message can be found after Word, whose length is over the limit",
      ],
    },
    otherwise: { statuses: ["c2s Word ok", "s2c Word ok"], notes: [] },
  },
  undecidedBytes: {
    value: 200,
    observe: async (limits) => {
      let isAnswered = false;
      const waiting = toyDissector({
        next: (direction) =>
          direction === "c2s" && !isAnswered ? { step: "wait" } : { step: "message", type: struct("Byte", { x: u8 }) },
        decoded: (direction) => {
          isAnswered ||= direction === "s2c";
        },
      });
      const tcp = talk();
      const opened = tcp.handshake();
      const said = [tcp.send(0, "a".repeat(100)), tcp.send(0, "b".repeat(100)), tcp.send(1, "x")];
      const packets = captured([...opened, ...said]);
      const { lines, notes } = await dissected(packets, limits, { dissectors: [waiting] });
      return { first: lines.slice(0, 2), bytes: lines.length, notes };
    },
    limited: {
      first: ["0 s2c Byte", "0 c2s skipped"],
      bytes: 2,
      notes: ["200 bytes were skipped: the other direction, which is needed to interpret this one, is missing"],
    },
    otherwise: { first: ["0 s2c Byte", "0 c2s Byte"], bytes: 201, notes: [] },
  },
  queuedBytes: {
    value: 100,
    observe: async (limits) => {
      const tcp = talk();
      const packets = [...tcp.handshake(), tcp.send(0, words("a"))];
      // What is lost is never acknowledged, so it may come until the end.
      const acknowledgment = tcp.next(0);
      tcp.send(0, words("lost"));
      packets.push(tcp.send(0, words("b")));
      for (const word of ["A", "B"]) {
        packets.push(tcp.raw(1, { acknowledgment, payload: words(word) }));
        tcp.send(1, words(word));
      }
      return (await dissected(captured(packets), limits)).lines;
    },
    limited: ["0 c2s a", "0 s2c A", "0 s2c B", "0 c2s gap", "0 c2s skipped"],
    otherwise: ["0 c2s a", "0 c2s gap", "0 s2c A", "0 s2c B", "0 c2s skipped"],
  },
  waitingBytes: {
    value: 100,
    observe: async (limits) => {
      const both = [talk(1), talk(2)];
      const word = words("x".repeat(30));
      const packets = [
        ...both.flatMap((tcp) => tcp.handshake()),
        ...both.map((tcp) => tcp.send(0, word.slice(0, 10))),
        ...both.map((tcp) => tcp.send(0, word.slice(10))),
      ];
      const { lines, notes } = await dissected(captured(packets), limits);
      return { lines: lines.map((line) => line.replace(/x+$/, "x")), notes };
    },
    limited: {
      lines: ["0 c2s x", "1 c2s skipped"],
      notes: [
        "31 bytes were skipped: too many bytes in all conversations together wait for the rest of their messages",
      ],
    },
    otherwise: { lines: ["0 c2s x", "1 c2s x"], notes: [] },
  },
  turnSeconds: {
    value: 0,
    observe: async (limits) => {
      const tcp = talk();
      const packets = [...tcp.handshake(), tcp.send(0, marked("a"))];
      tcp.send(0, marked("lost"));
      packets.push(tcp.send(0, marked("b")), tcp.send(1, marked("A")), tcp.fin(0));
      return (await dissected(captured(packets), limits, { dissectors: [findable] })).lines;
    },
    limited: ["0 c2s a", "0 s2c A", "0 c2s gap", "0 c2s b"],
    otherwise: ["0 c2s a", "0 c2s gap", "0 c2s b", "0 s2c A"],
  },
  searchBytes: {
    value: 64,
    observe: (limits) => afterGap(marked("long".padEnd(200, "."), "second", "third"), limits),
    limited: {
      lines: ["0 c2s first", "0 c2s gap", "0 c2s skipped", "0 c2s second", "0 c2s third"],
      notes: [lost, "202 bytes were skipped: the first message found after a gap comes next"],
    },
    otherwise: {
      lines: ["0 c2s first", "0 c2s gap", "0 c2s long", "0 c2s second", "0 c2s third"],
      notes: [lost],
    },
  },
  searchWork: {
    value: 1,
    observe: (limits) => {
      // The messages are not at the beginning of a packet: those that are would be found first.
      const noise = concat(new Uint8Array(20).fill(FAKE), new Uint8Array(70));
      return afterGap(concat(noise, marked("second", "third")), limits);
    },
    limited: {
      lines: ["0 c2s first", "0 c2s gap", "0 c2s skipped"],
      notes: [lost, "105 bytes were skipped: no message was found after a gap"],
    },
    otherwise: {
      lines: ["0 c2s first", "0 c2s gap", "0 c2s skipped", "0 c2s second", "0 c2s third"],
      notes: [lost, "90 bytes were skipped: the first message found after a gap comes next"],
    },
  },
} satisfies Partial<Record<keyof Limits, Scenario>>;
