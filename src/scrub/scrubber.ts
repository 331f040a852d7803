import { isAssembled, type Message } from "../dissect/message.js";
import type { PlaintextCapture } from "../export/plaintext-capture.js";
import type { Conversation, Direction, EndReason, Origin } from "../network/conversation.js";
import type { FieldTree } from "../schema/field-tree.js";
import type { Gathering } from "./gathering.js";
import { type Scrubbed, scrubMessage } from "./scrub-message.js";
import { UnwritableError } from "./written-leaf.js";

/** What was done to messages that were written. */
export interface ScrubReport {
  messages: number;
  /** Undissected bytes, of which zeros are left. */
  wiped: number;
  /** Bytes between messages, or of messages that cannot be written anew, that are missing now. */
  leftOut: number;
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

/** Takes the same messages as a `Gathering` did before, and writes them without what that has found. */
export class Scrubber {
  readonly report: ScrubReport = { messages: 0, wiped: 0, leftOut: 0, found: 0 };
  #datagram: Datagram | undefined;

  constructor(
    readonly gathered: Gathering,
    readonly capture: PlaintextCapture,
  ) {}

  /** A conversation begins: they are to begin in the same order, so that they have the same numbers. */
  begun(conversation: Conversation, origin: Origin): void {
    const { stream, transport, clientIsKnown } = conversation;
    if (transport === "udp" || !clientIsKnown || !this.gathered.isTellable(stream)) return;
    this.finish();
    this.capture.payload(conversation, "c2s", origin, NOTHING);
  }

  message(message: Message): void {
    const { conversation, direction, origin, length, name } = message;
    // What was put together from several messages is written with those.
    if (!this.gathered.knows(message) || !this.gathered.isTellable(conversation.stream) || isAssembled(message)) return;
    const { bytes, missing } = this.#scrubbed(message);
    if (conversation.transport === "udp") {
      const datagram = this.#datagramOf(message);
      datagram.parts.push(bytes);
      if (name === "gap") datagram.missing += length;
      else if (missing > 0) datagram.parts.push(new Uint8Array(missing));
      return;
    }
    // What is held back has come before.
    this.finish();
    if (bytes.length > 0) this.capture.payload(conversation, direction, origin, bytes);
    if (missing > 0) this.capture.gap(conversation, direction, origin, missing);
  }

  /** Nothing more comes of a conversation. */
  closed(conversation: Conversation, reason: EndReason): void {
    this.finish();
    this.capture.close(conversation, conversation.last, reason);
  }

  /** Writes what is held back. */
  finish(): void {
    const datagram = this.#datagram;
    this.#datagram = undefined;
    if (datagram === undefined) return;
    const { conversation, direction, origin, parts, missing } = datagram;
    this.capture.datagram(conversation, direction, origin, Buffer.concat(parts), missing);
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
  #rebuilt({ name, length, conversation }: Message, nodes: FieldTree): Scrubbed {
    const { kept, secrets } = this.gathered;
    const isTold = conversation.transport === "tcp" && nodes.sources[0]?.isExact === true;
    const isWritable = ({ bytes, begun }: Scrubbed) => !isTold || bytes.length + begun === length;
    const scrubbed = scrubMessage(nodes, kept, secrets);
    if (isWritable(scrubbed)) return scrubbed;
    const asLong = scrubMessage(nodes, kept, secrets, { mayGrow: false });
    if (isWritable(asLong)) return asLong;
    throw new UnwritableError(`${name}: its length is told, and would be another one`);
  }

  /** The datagram that a message is part of: of one packet, in one direction. */
  #datagramOf({ conversation, direction, origin }: Message): Datagram {
    const open = this.#datagram;
    if (open?.conversation === conversation && open.direction === direction && open.origin.frame === origin.frame) {
      return open;
    }
    this.finish();
    this.#datagram = { conversation, direction, origin, parts: [], missing: 0 };
    return this.#datagram;
  }
}
