// @ts-check
// A dissector for Parley, an invented chat protocol over TCP. Both sides begin with "PRLY" and a version; then come
// messages: u16 length of what follows, u8 type, and the fields of that type.
import { enumeration, equals, reference, rest, struct, text, u8, undeclared } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/big-endian";

/**
 * @import { ConversationDissector, ConversationHandle, Direction, Dissector, Opening, Step, Window } from "moul-dissect/dissector"
 * @import { StructType } from "moul-dissect/schema"
 */

// The messages on the wire, field by field. `doc` texts are shown by `moul-dissect fields parley`, `inSummary` fields
// in one-line summaries, and `sensitive` ones are replaced by `moul-dissect scrub`.
const Mood = { Calm: 0, Merry: 1, Cross: 2 };
const member = reference(u8, "member").doc("Number of a member of the room.").inSummary();
const head = { length: u16.doc("Bytes after this field."), type: u8 };

const Greeting = struct("Greeting", { magic: text(4), version: u8.inSummary() });
const Join = struct("Join", { ...head, nickLength: u8, nick: text("nickLength").sensitive("player-name").inSummary() });
const Say = struct("Say", { ...head, mood: enumeration(u8, Mood).inSummary(), words: text(rest).sensitive("chat").inSummary() });
// From here on, member numbers are labelled with the nick of whoever joined.
const Joined = struct(
  "Joined",
  { ...head, member, nickLength: u8, nick: text("nickLength").sensitive("player-name").inSummary() },
  { introduces: { kind: "member", id: "member", name: "nick" } },
);
const Said = struct("Said", {
  ...head,
  member,
  mood: enumeration(u8, Mood).inSummary(),
  to: member.when(equals("mood", Mood.Cross)).doc("The addressee; only cross words have one."),
  words: text(rest).sensitive("chat").inSummary(),
});
const Unknown = struct("Unknown", { ...head, data: undeclared("Messages of this type are not declared.") });

/** @type {Record<Direction, Record<number, StructType<unknown>>>} */
const messages = { c2s: { 1: Join, 2: Say }, s2c: { 1: Joined, 2: Said } };

/** @implements {ConversationDissector} */
class Parley {
  protocol = "parley";
  /** @type {ConversationDissector["encryptionState"]} */
  encryptionState = { encryption: "none", key: "not-needed", keySource: "" };
  /** The state of the conversation: which sides have greeted. */
  greeted = { c2s: false, s2c: false };

  /** @param {ConversationHandle} conversation */
  constructor({ server }) {
    // Member numbers mean the same in all connections to one server.
    this.nameScope = `${server.address}:${server.port}`;
  }

  /**
   * Says what is at the current position of a direction.
   * @param {Direction} direction
   * @param {Window} window
   * @returns {Step}
   */
  next(direction, { view, start, end }) {
    if (!this.greeted[direction]) return { step: "message", type: Greeting };
    if (end - start < 3) return { step: "more", bytes: 3 };
    const type = messages[direction][view.getUint8(start + 2)] ?? Unknown;
    return { step: "message", type, length: 2 + view.getUint16(start) };
  }

  /**
   * Called for each message after it has been decoded.
   * @param {Direction} direction
   */
  decoded(direction) {
    this.greeted[direction] = true;
  }
}

/** @type {Dissector} */
export default {
  name: "parley",
  protocols: ["parley"],
  ports: [{ transport: "tcp", port: 7275 }],
  types: new Map([Greeting, Join, Say, Joined, Said, Unknown].map((type) => [type.struct.name, type])),
  messages: new Map([["parley", { c2s: [Greeting, Join, Say], s2c: [Greeting, Joined, Said] }]]),
  /**
   * Recognises a conversation by its first bytes, on any port.
   * @param {Opening} opening
   */
  recognise({ transport, c2s }) {
    const magic = String.fromCharCode(...c2s.subarray(0, 4));
    if (transport !== "tcp" || !"PRLY".startsWith(magic)) return "no";
    return magic.length < 4 ? "more" : "yes";
  },
  open: (conversation) => new Parley(conversation),
  // Wireshark's plugin, which runs no JavaScript, finds the messages by this: moul-dissect wireshark --dissector ./parley.js
  wireshark: {
    length: { at: 0, kind: "u16be", plus: 2 },
    type: { at: 2, kind: "u8" },
    messages,
    unknown: Unknown,
    greeting: Greeting,
    magic: "PRLY",
  },
};
