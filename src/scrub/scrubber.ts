import { isAssembled, type Message } from "../dissect/message.js";
import type { PlaintextCapture } from "../export/plaintext-capture.js";
import type { Conversation, Direction, EndReason, Origin } from "../network/conversation.js";
import type { Nodes } from "../schema/nodes.js";
import type { RecognisedSession } from "../session/session.js";
import { gatherSecrets, type Kept, type Scrubbed, scrubMessage, tellsSecrets } from "./scrub-message.js";
import type { Secrets } from "./secrets.js";
import { UnwritableError } from "./written-leaf.js";

/** What was done to messages that were written, and what was left out. */
export interface ScrubReport {
  messages: number;
  /** Undissected bytes, of which zeros are left. */
  wiped: number;
  /** Bytes between messages, or of messages that cannot be written anew, that are missing now. */
  leftOut: number;
  /** Conversations that are left out because they cannot be decrypted. */
  readonly encrypted: ReadonlySet<number>;
  /** Conversations that are left out because their dissector does not say what is secret. */
  readonly unmarked: ReadonlySet<number>;
  /** Conversations that are left out because something secret is spread over several of their messages. */
  readonly spread: ReadonlySet<number>;
  /** How often something secret stood where nothing such is expected. */
  found: number;
}

const NOTHING = new Uint8Array(0);

/** A datagram whose messages come one after the other. */
interface Datagram {
  readonly conversation: Conversation;
  readonly direction: Direction;
  readonly origin: Origin;
  readonly parts: Uint8Array[];
  missing: number;
}

/**
 * Reads the same messages twice: the first time to find out what must not be told, the second time to write them without
 * that.
 */
export class Scrubber {
  /** Numbers of the conversations that have messages, of those that may be written, and of those that are left out. */
  readonly #spoken = new Set<number>();
  readonly #marked = new Set<number>();
  readonly #encrypted = new Set<number>();
  readonly #unmarked = new Set<number>();
  readonly #spread = new Set<number>();
  readonly report: ScrubReport = {
    messages: 0,
    wiped: 0,
    leftOut: 0,
    encrypted: this.#encrypted,
    unmarked: this.#unmarked,
    spread: this.#spread,
    found: 0,
  };
  /** Number of the last message that was gathered from: a capture may have grown since. */
  #last = 0;
  #datagram: Datagram | undefined;

  /** @param unmarked names of dissectors that do not say what is secret */
  constructor(
    readonly secrets: Secrets,
    readonly kept: Kept,
    readonly unmarked: ReadonlySet<string>,
  ) {}

  /** Of any conversation, first time: its addresses may stand in the messages of others. */
  opened({ client, server }: Conversation): void {
    if (this.kept.has("ip-address")) return;
    for (const { address } of [client, server]) this.secrets.addresses.gather(address);
  }

  /** First time. */
  gather(message: Message): void {
    const { nodes, status, number, conversation } = message;
    this.#last = number;
    this.#spoken.add(conversation.stream);
    if (nodes !== undefined) gatherSecrets(nodes, this.kept, this.secrets);
    else if (status === "encrypted") this.#encrypted.add(conversation.stream);
    // It is not known which bytes of which message it came from.
    if (nodes !== undefined && isAssembled(message) && tellsSecrets(nodes, this.kept)) {
      this.#spread.add(conversation.stream);
    }
  }

  /** First time, at the end of each conversation that was recognised. */
  ended({ conversation, spokenBy }: RecognisedSession): void {
    const conversations = this.unmarked.has(spokenBy.name) ? this.#unmarked : this.#marked;
    conversations.add(conversation.stream);
  }

  /** Second time: conversations are to begin in the same order, so that they have the same numbers. */
  begun(conversation: Conversation, origin: Origin, capture: PlaintextCapture): void {
    const { stream, transport, clientIsKnown } = conversation;
    if (transport === "udp" || !clientIsKnown || !this.#spoken.has(stream) || this.#isLeftOut(stream)) return;
    this.finish(capture);
    capture.payload(conversation, "c2s", origin, NOTHING);
  }

  /** Second time. */
  write(message: Message, capture: PlaintextCapture): void {
    const { conversation, direction, origin, length, name } = message;
    if (message.number > this.#last) return;
    // What was put together from several messages is written with those.
    if (this.#isLeftOut(conversation.stream) || isAssembled(message)) return;
    const { bytes, missing } = this.#scrubbed(message);
    if (conversation.transport === "udp") {
      const datagram = this.#datagramOf(message, capture);
      datagram.parts.push(bytes);
      if (name === "gap") datagram.missing += length;
      else if (missing > 0) datagram.parts.push(new Uint8Array(missing));
      return;
    }
    // What is held back has come before.
    this.finish(capture);
    if (bytes.length > 0) capture.payload(conversation, direction, origin, bytes);
    if (missing > 0) capture.gap(conversation, direction, origin, missing);
  }

  /** Second time: nothing more comes of a conversation. */
  closed(conversation: Conversation, reason: EndReason, capture: PlaintextCapture): void {
    this.finish(capture);
    capture.close(conversation, conversation.last, reason);
  }

  /** Writes what is held back. */
  finish(capture: PlaintextCapture): void {
    const datagram = this.#datagram;
    this.#datagram = undefined;
    if (datagram === undefined) return;
    const { conversation, direction, origin, parts, missing } = datagram;
    capture.datagram(conversation, direction, origin, Buffer.concat(parts), missing);
  }

  #isLeftOut(stream: number): boolean {
    return this.#encrypted.has(stream) || this.#spread.has(stream) || !this.#marked.has(stream);
  }

  /** The bytes that stand for a message, and how many are missing behind them: those that cannot be read. */
  #scrubbed(message: Message): { readonly bytes: Uint8Array; readonly missing: number } {
    const { nodes, length, name } = message;
    if (nodes === undefined) {
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
   * A message that tells nothing any more. If something that no declaration speaks of tells its length, that has to stay:
   * behind a message of another length, nothing could be read.
   *
   * @throws UnwritableError if it cannot be written
   */
  #rebuilt({ name, length, conversation }: Message, nodes: Nodes): Scrubbed {
    const isTold = conversation.transport === "tcp" && nodes.sources[0]?.isExact === true;
    const isWritable = ({ bytes, begun }: Scrubbed) => !isTold || bytes.length + begun === length;
    const scrubbed = scrubMessage(nodes, this.kept, this.secrets);
    if (isWritable(scrubbed)) return scrubbed;
    const asLong = scrubMessage(nodes, this.kept, this.secrets, false);
    if (isWritable(asLong)) return asLong;
    throw new UnwritableError(`${name}: its length is told, and would be another one`);
  }

  /** The datagram that a message is part of: of one packet, in one direction. */
  #datagramOf({ conversation, direction, origin }: Message, capture: PlaintextCapture): Datagram {
    const open = this.#datagram;
    if (open?.conversation === conversation && open.direction === direction && open.origin.frame === origin.frame) {
      return open;
    }
    this.finish(capture);
    this.#datagram = { conversation, direction, origin, parts: [], missing: 0 };
    return this.#datagram;
  }
}
