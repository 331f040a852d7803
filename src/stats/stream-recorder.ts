import { bufferOf } from "../common/buffer-of.js";
import type { EncryptionState } from "../dissector/dissector.js";
import type { Conversation, Direction, EndReason } from "../network/conversation.js";
import { understandingOf } from "../session/conversation-check.js";
import type { ConversationObserver, NetworkObserver } from "../session/observer.js";
import type { RecognisedConversation } from "../session/recognised-conversation.js";

/** Digests bytes as they come. */
export interface Hash {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

/** What one end of a conversation sent, as captured: before decryption. */
export interface Sent {
  /** Number of bytes in order, or in all datagrams; gaps count neither here nor in the hash. */
  readonly bytes: number;
  /** Empty if it was not asked for. */
  readonly sha256: string;
  /** Number of missing bytes. */
  readonly missing: number;
  readonly gapCount: number;
  /** The first gaps; their offsets in the stream as it was sent include earlier gaps. */
  readonly gaps: readonly { readonly offset: number; readonly length: number }[];
}

/** What is known of a conversation once it is over. */
export interface StreamFacts {
  readonly conversation: Conversation;
  /** True if the time from its first packet to its last one is how long it took: the clock was not set back meanwhile. */
  readonly isTimed: boolean;
  /** Why it ended. */
  readonly closed: EndReason;
  /** The direction that finished first, or that reset the connection. */
  readonly closedBy: Direction | undefined;
  /** Undefined if it is not recognised. */
  readonly protocol: string | undefined;
  readonly encryption: EncryptionState["encryption"];
  readonly key: EncryptionState["key"];
  readonly keySource: string;
  readonly c2s: Sent;
  readonly s2c: Sent;
}

/** What is recorded of each direction of a conversation, besides sums. */
interface Recorded {
  /** The most gaps that are listed. */
  readonly mostGaps: number;
  /** Makes a SHA-256, if that of what was sent is wanted, which takes most of the time. */
  readonly hash?: (() => Hash) | undefined;
}

type Done = (facts: Omit<StreamFacts, "isTimed">) => void;

/** What one end has sent so far. */
class Sender {
  #bytes = 0;
  #missing = 0;
  #gapCount = 0;
  readonly #gaps: { readonly offset: number; readonly length: number }[] = [];
  readonly #hash: Hash | undefined;

  constructor(readonly recorded: Recorded) {
    this.#hash = recorded.hash?.();
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
      sha256: hexOf(this.#hash?.digest()),
      missing: this.#missing,
      gapCount: this.#gapCount,
      gaps: this.#gaps,
    };
  }
}

function hexOf(digest: Uint8Array | undefined): string {
  return digest === undefined ? "" : bufferOf(digest).toString("hex");
}

/** How a conversation was understood. */
type Understanding = Pick<StreamFacts, "protocol" | "encryption" | "key" | "keySource">;

const NOT_UNDERSTOOD: Understanding = {
  protocol: undefined,
  encryption: "unknown",
  key: "not-needed",
  keySource: "",
};

/** Records what one conversation carries. */
class ConversationRecorder implements ConversationObserver {
  #c2s: Sender;
  #s2c: Sender;
  #understood = NOT_UNDERSTOOD;
  #isBeingDissected = false;
  /** Hands over what is known, where the conversation has ended before its last message was passed on. */
  #handOver: (() => void) | undefined;

  constructor(
    readonly conversation: Conversation,
    recorded: Recorded,
    readonly done: Done,
  ) {
    this.#c2s = new Sender(recorded);
    this.#s2c = new Sender(recorded);
  }

  bytes(direction: Direction, bytes: Uint8Array): void {
    this.#sender(direction).bytes(bytes);
  }

  gap(direction: Direction, length: number): void {
    this.#sender(direction).gap(length);
  }

  datagram(direction: Direction, bytes: Uint8Array, missing: number): void {
    const sender = this.#sender(direction);
    sender.bytes(bytes);
    sender.gap(missing);
  }

  flipped(): void {
    [this.#c2s, this.#s2c] = [this.#s2c, this.#c2s];
  }

  recognised(): void {
    this.#isBeingDissected = true;
  }

  dissected(session: RecognisedConversation): void {
    this.#isBeingDissected = false;
    try {
      this.#understood = understandingOf(session);
    } finally {
      this.#handOver?.();
    }
  }

  closed(closed: EndReason, closedBy?: Direction): void {
    const { conversation } = this;
    const [c2s, s2c] = [this.#c2s.finish(), this.#s2c.finish()];
    const handOver = () => this.done({ conversation, closed, closedBy, ...this.#understood, c2s, s2c });
    if (this.#isBeingDissected) this.#handOver = handOver;
    else handOver();
  }

  #sender(direction: Direction): Sender {
    return direction === "c2s" ? this.#c2s : this.#s2c;
  }
}

/**
 * Records what every conversation carries, and hands each one over when it has ended and its last message has been
 * passed on: only then it is known how it was understood.
 */
export class StreamRecorder implements NetworkObserver {
  constructor(
    readonly recorded: Recorded,
    readonly done: Done,
  ) {}

  opened(conversation: Conversation): ConversationObserver {
    return new ConversationRecorder(conversation, this.recorded, this.done);
  }
}
