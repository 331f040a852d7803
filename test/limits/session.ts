import type { Limits } from "../../src/limits.js";
import { reference, struct, text, u8 } from "../../src/schema/index.js";
import { labelOf } from "../../src/schema/tree/label.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { text as ascii } from "../support/packets.js";
import { toyDissector, words } from "../support/toy.js";
import { captured, dissected, type Scenario, talk } from "./scenario.js";

/** Two simultaneous conversations that a dissector recognises only by their first 300 bytes. */
async function shyConversations(limits: Partial<Limits>) {
  const shy = toyDissector({ recognise: ({ c2s }) => (c2s.length < 300 ? "more" : "yes") });
  const both = [talk(1), talk(2)];
  const packets = both.flatMap((tcp) => tcp.handshake());
  for (let index = 0; index < 3; index++) {
    packets.push(...both.map((tcp) => tcp.send(0, words(`${index}`.padEnd(99, ".")))));
  }
  const { lines, reached } = await dissected(captured(packets), limits, { dissectors: [shy] });
  return { words: lines.length, reached };
}

const Named = struct(
  "Named",
  { id: u8, length: u8, text: text("length"), about: reference(u8, "thing") },
  { introduces: { kind: "thing", id: "id", name: "text" } },
);

/** Introduces two things, and then refers to the first in each message; returns its name each time. */
async function namesOfFirst(limits: Partial<Limits>) {
  const tcp = talk();
  const opened = tcp.handshake();
  const said = ["\x01\x05first\x01", "\x02\x06second\x01"].map((message) => tcp.send(0, ascii(message)));
  const speaker = toyDissector({ next: () => ({ step: "message", type: Named }) });
  const capture = captured([...opened, ...said]);
  const { messages, reached } = await dissected(capture, limits, { dissectors: [speaker] });
  const names = messages.map(({ nodes }) => nodes && labelOf(nodes, nodes.child(0, "about")));
  return { names, reached };
}

/** An encrypted session in which one of the client's messages was not captured; returns the fate of the others. */
async function lossInSession(limits: Partial<Limits>) {
  const session = new MoulTalk("auth").opens();
  for (const fileName of ["Cleft", "Garden", "Personal", "Neighborhood", "Bahro", "Ercana"]) {
    const instanceUuid = "ea489821-6c35-4bd0-9dae-bb17c585e680";
    session.says("Cli2Auth_AgeRequest", { transactionId: 1, fileName, instanceUuid });
  }
  // Three packets open the connection, and three exchange the key.
  const packets = packetsOf(session).filter((_, index) => index !== 3 + 3 + 2);
  const keys = [{ name: "session.keys", bytes: ascii(session.keyLog.rc4) }];
  const { messages } = await dissected(captured(packets), limits, { keys });
  const names = messages.filter(({ direction }) => direction === "c2s").map(({ name }) => name);
  const skipped = messages.filter(({ name }) => name === "skipped");
  const why = skipped.flatMap(({ notes }) => notes.map(({ text }) => text));
  return { requests: names.filter((name) => name.includes("AgeRequest")).length, gap: names.includes("gap"), why };
}

const TOO_MUCH_IN_ALL =
  "118 bytes were skipped: too many bytes are missing in all conversations together to advance the cipher past those before this";

export const sessionScenarios = {
  openingBytes: {
    value: 100,
    observe: shyConversations,
    limited: { words: 0, reached: { openingBytes: 2 } },
    otherwise: { words: 6, reached: {} },
  },
  openingBytesOfMany: {
    value: 100,
    observe: (limits) => shyConversations({ manyConversations: 1, ...limits }),
    limited: { words: 0, reached: { openingBytesOfMany: 2 } },
    otherwise: { words: 6, reached: {} },
  },
  manyConversations: {
    value: 1,
    observe: (limits) => shyConversations({ openingBytesOfMany: 100, ...limits }),
    limited: { words: 0, reached: { openingBytesOfMany: 2 } },
    otherwise: { words: 6, reached: {} },
  },
  cipherSkip: {
    value: 4,
    observe: lossInSession,
    limited: {
      requests: 2,
      gap: true,
      why: ["118 bytes were skipped: more than 4 bytes are missing before this, too many to advance the cipher past"],
    },
    otherwise: { requests: 5, gap: true, why: [] },
  },
  cipherSkipAnyhow: {
    value: 4,
    observe: (limits) => lossInSession({ ...limits, cipherSkipForByte: 0 }),
    limited: { requests: 2, gap: true, why: [TOO_MUCH_IN_ALL] },
    otherwise: { requests: 5, gap: true, why: [] },
  },
  cipherSkipForByte: {
    value: 0,
    observe: (limits) => lossInSession({ ...limits, cipherSkipAnyhow: 0 }),
    limited: { requests: 2, gap: true, why: [TOO_MUCH_IN_ALL] },
    otherwise: { requests: 5, gap: true, why: [] },
  },
  names: {
    value: 1,
    observe: namesOfFirst,
    limited: { names: ["first", undefined], reached: { names: 1 } },
    otherwise: { names: ["first", "first"], reached: {} },
  },
  nameLength: {
    value: 4,
    observe: namesOfFirst,
    limited: { names: [undefined, undefined], reached: { nameLength: 2 } },
    otherwise: { names: ["first", "first"], reached: {} },
  },
} satisfies Partial<Record<keyof Limits, Scenario>>;
