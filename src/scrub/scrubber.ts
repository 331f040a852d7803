import { isAssembled, type Message } from "../dissect/message.js";
import { messageTitle } from "../dissect/message-title.js";
import type { ConversationCapture } from "../export/conversation-capture.js";
import type { PlaintextCapture } from "../export/plaintext-capture.js";
import type { Conversation, Direction, EndReason, Origin } from "../network/conversation.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import type { RecognisedConversation } from "../session/recognised-conversation.js";
import type { Gathering } from "./gathering.js";
import { type Scrubbed, scrubMessage } from "./scrub-message.js";
import { UnwritableError } from "./written-leaf.js";

/** What was done to the messages. */
export interface ScrubReport {
  messages: number;
  /** Number of undissected bytes, which became zeros. */
  wiped: number;
  /** Number of bytes left out: between messages, or of messages that cannot be rewritten. */
  leftOut: number;
  /** How often a secret was found where none is expected. */
  found: number;
}

const NOTHING = new Uint8Array(0);

/** Takes scrubbed messages one by one. */
export type ScrubbedMessages = (message: Message, bytes: Uint8Array) => void;

/** A datagram whose messages arrive one by one. */
interface Datagram {
  readonly conversation: Conversation;
  readonly direction: Direction;
  readonly origin: Origin;
  readonly parts: Uint8Array[];
  readonly titles: string[];
  missing: number;
}

/** Takes the same messages as a `Gathering` did before, and writes them without the secrets it found. */
export class Scrubber {
  readonly report: ScrubReport = { messages: 0, wiped: 0, leftOut: 0, found: 0 };
  /** Messages come one by one, whichever conversation they belong to. */
  readonly #open = new Map<Conversation, ConversationCapture>();
  #datagram: Datagram | undefined;

  /** @param to what messages are written to: as packets of their conversations, or each on its own */
  constructor(
    readonly gathered: Gathering,
    readonly to: PlaintextCapture | ScrubbedMessages,
  ) {}

  /** A conversation begins. Conversations are written in the order in which they began, to keep their numbers. */
  begun(conversation: Conversation, origin: Origin): void {
    const { stream, transport, clientIsKnown } = conversation;
    const { to } = this;
    if (typeof to === "function") return;
    if (transport === "udp" || !clientIsKnown || !this.gathered.isShareable(stream)) return;
    this.finish();
    this.#written(to, conversation).payload("c2s", origin, NOTHING);
  }

  #written(to: PlaintextCapture, conversation: Conversation): ConversationCapture {
    let written = this.#open.get(conversation);
    if (written === undefined) {
      written = to.conversation(conversation);
      this.#open.set(conversation, written);
    }
    return written;
  }

  message(message: Message): void {
    const { conversation, direction, origin, length, name } = message;
    // An assembled message is written with the messages it was assembled from.
    if (!this.gathered.isShareable(conversation.stream) || isAssembled(message)) return;
    const { bytes, missing } = this.#scrubbed(message);
    const { to } = this;
    if (typeof to === "function") {
      if (bytes.length > 0) to(message, bytes);
      return;
    }
    if (conversation.transport === "udp") {
      const datagram = this.#datagramOf(message);
      datagram.parts.push(bytes);
      if (bytes.length > 0) datagram.titles.push(messageTitle(message) ?? "");
      if (name === "gap") datagram.missing += length;
      else if (missing > 0) datagram.parts.push(new Uint8Array(missing));
      return;
    }
    // The datagram held back came earlier.
    this.finish();
    if (bytes.length > 0) {
      const title = messageTitle(message);
      this.#written(to, conversation).payload(direction, origin, bytes, () => title);
    }
    if (missing > 0) this.#written(to, conversation).gap(direction, origin, missing);
  }

  /** A conversation has been dissected: what belongs to somebody else is no message of it. */
  dissected({ conversation, foreignBytes }: RecognisedConversation): void {
    if (this.gathered.isShareable(conversation.stream)) this.report.leftOut -= foreignBytes;
  }

  /** A conversation has ended. */
  closed(conversation: Conversation, reason: EndReason): void {
    this.finish();
    this.#open.get(conversation)?.close(conversation.last, reason);
    this.#open.delete(conversation);
  }

  /** Writes the datagram held back, if there is one. */
  finish(): void {
    const datagram = this.#datagram;
    this.#datagram = undefined;
    const { to } = this;
    if (datagram === undefined || typeof to === "function") return;
    const { conversation, direction, origin, parts, titles, missing } = datagram;
    const comment = titles.length === 0 ? undefined : titles.join(", ");
    this.#written(to, conversation).datagram(direction, origin, Buffer.concat(parts), missing, () => comment);
  }

  /** The bytes to write for a message, and the number of bytes that are missing after them: lost or left out. */
  #scrubbed(message: Message): { readonly bytes: Uint8Array; readonly missing: number } {
    const { nodes, length, name, status } = message;
    // No declaration explains the bytes of a malformed message: its numbers and names may be anything.
    if (nodes === undefined || status === "malformed") {
      if (name !== "gap") this.report.leftOut += length;
      return { bytes: NOTHING, missing: length };
    }
    try {
      const { bytes, wiped, found, begun } = this.#rebuilt(message, nodes);
      this.report.messages++;
      this.report.wiped += wiped;
      this.report.found += found;
      this.report.leftOut += begun;
      return { bytes, missing: begun };
    } catch (error) {
      if (!(error instanceof UnwritableError)) throw error;
      this.report.leftOut += length;
      return { bytes: NOTHING, missing: length };
    }
  }

  /**
   * A message without its secrets. If its length is given outside its declared fields, the length has to stay the same:
   * nothing could be read after a message of another length.
   *
   * @throws UnwritableError if it cannot be written
   */
  #rebuilt({ name, length, conversation }: Message, nodes: FieldTree): Scrubbed {
    const { kept, secrets } = this.gathered;
    const hasClaimedLength = conversation.transport === "tcp" && nodes.sources[0]?.isExact === true;
    const isWritable = ({ bytes, begun }: Scrubbed) => !hasClaimedLength || bytes.length + begun === length;
    const scrubbed = scrubMessage(nodes, kept, secrets);
    if (isWritable(scrubbed)) return scrubbed;
    const asLong = scrubMessage(nodes, kept, secrets, { mayGrow: false });
    if (isWritable(asLong)) return asLong;
    throw new UnwritableError(`${name}: its length is given elsewhere, and would change`);
  }

  /** The datagram that a message is part of: one packet, in one direction. */
  #datagramOf({ conversation, direction, origin }: Message): Datagram {
    const open = this.#datagram;
    if (open?.conversation === conversation && open.direction === direction && open.origin.frame === origin.frame) {
      return open;
    }
    this.finish();
    this.#datagram = { conversation, direction, origin, parts: [], titles: [], missing: 0 };
    return this.#datagram;
  }
}
