import {
  type ConversationDissector,
  type ConversationHandle,
  type Direction,
  type Step,
  unencrypted,
  type Window,
} from "moul-dissect/dissector";
import { type DecodedTree, decodeText, type StructType, struct, text } from "moul-dissect/schema";
import { Announcements } from "../announcements.js";
import { UnexpectedData } from "../fields.js";
import { undeclaredVersion } from "../message-table.js";
import { REFUSED } from "../refusal.js";
import { Hello } from "./hello.js";
import { newest, versionOf } from "./versions.js";

const VERSION_BYTES = 8;
/** What is known about the hello of another version, if the user declared it to be one of these. */
const versionOnly = struct("Hello", { version: text(VERSION_BYTES).inSummary() });

/** The first connection: the server says hello and announces the port on which the client is to reconnect. */
export class HelloConversation implements ConversationDissector {
  readonly encryptionState = unencrypted;
  protocol = newest.protocol;
  #greeted = false;
  readonly #announcements: Announcements;

  constructor(readonly handle: ConversationHandle) {
    this.#announcements = Announcements.in(handle.shared);
  }

  next(direction: Direction, { bytes: data, start, end }: Window): Step {
    if (direction === "c2s" || this.#greeted) {
      const reason = "nothing but the server's hello belongs on this connection";
      return { step: "unknown", name: UnexpectedData.struct.name, head: UnexpectedData, reason };
    }
    if (end - start < VERSION_BYTES) return { step: "more", bytes: VERSION_BYTES };
    const hello = decodeText(data.subarray(start, start + VERSION_BYTES));
    const version = versionOf(hello);
    if (version === undefined) {
      return { step: "unknown", name: Hello.struct.name, head: versionOnly, reason: undeclaredVersion(hello) };
    }
    this.protocol = version.protocol;
    return { step: "message", type: Hello, length: Hello.struct.minimumWidth };
  }

  decoded(_direction: Direction, _type: StructType<unknown>, nodes: DecodedTree): void {
    this.#greeted = true;
    const port = nodes.numberIn(0, "reconnectPort");
    if (port === 0) nodes.context = REFUSED;
    const version = versionOf(nodes.textIn(0, "version") ?? "");
    if (!port || version === undefined) return;
    this.#announcements.reconnect({ address: this.handle.server.address, port }, version);
  }
}
