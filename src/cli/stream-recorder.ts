import { createHash, type Hash } from "node:crypto";
import {
  type Conversation,
  type Direction,
  type Endpoint,
  type EndReason,
  type NetworkListener,
  senderOf,
} from "../network/conversation.js";
import type { Sent, StreamFacts } from "../output/tables/streams.js";
import { understandingOf } from "../session/conversation-check.js";
import type { RecognisedConversation } from "../session/session.js";

/** What is recorded of each direction of a conversation, besides sums. */
interface Recorded {
  /** The most gaps that are listed. */
  readonly mostGaps: number;
  /** True if the SHA-256 of what was sent is wanted, which takes most of the time. */
  readonly isHashed: boolean;
}

/** What one end has sent so far. */
class Sender {
  #bytes = 0;
  #missing = 0;
  #gapCount = 0;
  readonly #gaps: { readonly offset: number; readonly length: number }[] = [];
  readonly #hash: Hash | undefined;

  constructor(readonly recorded: Recorded) {
    this.#hash = recorded.isHashed ? createHash("sha256") : undefined;
  }

  bytes(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#hash?.update(bytes);
  }

  gap(length: number): void {
    if (length === 0) return;
    if (this.#gapCount < this.recorded.mostGaps) this.#gaps.push({ offset: this.#bytes + this.#missing, length });
    this.#gapCount++;
    this.#missing += length;
  }

  finish(): Sent {
    return {
      bytes: this.#bytes,
      sha256: this.#hash?.digest("hex") ?? "",
      missing: this.#missing,
      gapCount: this.#gapCount,
      gaps: this.#gaps,
    };
  }
}

/** How a conversation was understood. */
type Understanding = Pick<StreamFacts, "protocol" | "encryption" | "key" | "keySource">;

const NOT_UNDERSTOOD: Understanding = {
  protocol: undefined,
  encryption: "unknown",
  key: "not-needed",
  keySource: "",
};

/** Records what every conversation carries, and hands each one over when it has ended. */
export class StreamRecorder implements Partial<NetworkListener> {
  // By end, not by direction: which end is the client may turn out later.
  readonly #senders = new Map<Endpoint, Sender>();
  readonly #understood = new Map<Conversation, Understanding>();

  constructor(
    readonly recorded: Recorded,
    readonly done: (facts: Omit<StreamFacts, "isTimed">) => void,
  ) {}

  opened({ client, server }: Conversation): void {
    for (const end of [client, server]) this.#senders.set(end, new Sender(this.recorded));
  }

  bytes(conversation: Conversation, direction: Direction, bytes: Uint8Array): void {
    this.#sender(conversation, direction)?.bytes(bytes);
  }

  gap(conversation: Conversation, direction: Direction, length: number): void {
    this.#sender(conversation, direction)?.gap(length);
  }

  datagram(conversation: Conversation, direction: Direction, bytes: Uint8Array, missing: number): void {
    const sender = this.#sender(conversation, direction);
    sender?.bytes(bytes);
    sender?.gap(missing);
  }

  /** Takes a recognised conversation that has ended. */
  session(session: RecognisedConversation): void {
    this.#understood.set(session.conversation, understandingOf(session));
  }

  closed(conversation: Conversation, closed: EndReason, closedBy?: Direction): void {
    const understood = this.#understood.get(conversation) ?? NOT_UNDERSTOOD;
    this.#understood.delete(conversation);
    const [c2s, s2c] = [this.#finish(conversation.client), this.#finish(conversation.server)];
    this.done({ conversation, closed, closedBy, ...understood, c2s, s2c });
  }

  #sender(conversation: Conversation, direction: Direction): Sender | undefined {
    return this.#senders.get(senderOf(conversation, direction));
  }

  #finish(end: Endpoint): Sent {
    const sender = this.#senders.get(end) ?? new Sender(this.recorded);
    this.#senders.delete(end);
    return sender.finish();
  }
}
