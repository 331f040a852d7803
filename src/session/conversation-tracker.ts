import type { InternalError } from "../dissector/failure.js";
import type { LimitCounts, Limits } from "../limits.js";
import {
  type ConversationListener,
  type Direction,
  type EndReason,
  type GapReason,
  inDirection,
  type Origin,
  opposite,
} from "../network/conversation.js";
import type { Recogniser } from "./recogniser.js";
import type { ElsewhereReader, SessionListener, SessionReader } from "./session.js";
import type { TrackedSession } from "./tracked-session.js";
import type { Datagram } from "./waiting-datagrams.js";

/** What all conversations of a run share. */
export interface TrackingContext {
  readonly recogniser: Recogniser;
  readonly listener: SessionListener;
  readonly limits: Limits;
  readonly limitCounts: LimitCounts;
  /** Called if a cipher throws an error. */
  readonly onInternalError: ((error: InternalError) => void) | undefined;
  /** Number of conversations that have not ended. */
  open: number;
}

/**
 * Listens to one conversation: has dissectors recognise it, and passes on what it brings from then on. Its observer is
 * told first.
 */
export class ConversationTracker implements ConversationListener {
  readonly #session: TrackedSession;
  readonly #context: TrackingContext;
  /** Takes what the conversation brings, once it is recognised. */
  #reader: SessionReader | undefined;
  /** Takes note of it, if another thread dissects it. */
  #elsewhere: ElsewhereReader | undefined;

  /** @param isOwn false if another thread dissects the conversation */
  constructor(
    session: TrackedSession,
    context: TrackingContext,
    readonly isOwn: boolean,
  ) {
    this.#session = session;
    this.#context = context;
    context.open++;
  }

  bytes(direction: Direction, bytes: Uint8Array, origin: Origin): void {
    const session = this.#session;
    session.observer?.bytes?.(direction, bytes, origin);
    if (session.isOnlyCounted) {
      this.#elsewhere?.bytes(direction, bytes.length, origin);
      return;
    }
    this.#append(direction, bytes, origin);
    this.#advance(direction);
  }

  outOfOrder(direction: Direction, length: number, origin: Origin): void {
    const session = this.#session;
    session.observer?.outOfOrder?.(direction, length, origin);
    if (session.isOnlyCounted) {
      this.#elsewhere?.outOfOrder(direction, length, origin);
      return;
    }
    session.streams[direction].outOfOrder.add(length, origin);
    this.#reader?.outOfOrder(direction, origin);
  }

  gap(direction: Direction, length: number, reason: GapReason, origin: Origin): void {
    const session = this.#session;
    session.observer?.gap?.(direction, length, reason, origin);
    if (session.isOnlyCounted) return;
    const stream = inDirection(session.streams, direction);
    const isOver = stream.isPendingAll;
    stream.appendGap(length, reason, origin);
    // Bytes after a gap are no evidence for a dissector, so a further gap is no reason to ask again.
    if (this.#reader !== undefined || !isOver) this.#advance(direction);
  }

  datagram(direction: Direction, bytes: Uint8Array, missing: number, origin: Origin): void {
    const session = this.#session;
    session.observer?.datagram?.(direction, bytes, missing, origin);
    if (session.isOnlyCounted) return;
    const datagram = { direction, bytes, missing, origin };
    if (this.#reader !== undefined) {
      this.#read(this.#reader, datagram);
      return;
    }
    session.ask(datagram);
    const reader = this.#recognise();
    if (reader !== undefined) {
      if (session.dropped > 0) this.#context.limitCounts.reached(this.#openingLimit);
      for (const waiting of session.takeWaiting()) this.#read(reader, waiting);
    } else if (!session.isOnlyCounted) {
      const gone = session.wait(this.#context.limits[this.#openingLimit]);
      for (const { direction } of gone) session.observer?.dropped?.(direction);
    }
  }

  #read(reader: SessionReader, { direction, bytes, missing, origin }: Datagram): void {
    const stream = inDirection(this.#session.streams, direction);
    this.#append(direction, bytes, origin);
    if (missing > 0) stream.appendGap(missing, "cut", origin);
    const { start, foreignBytes } = stream;
    const whole = stream.bytes.subarray(start, start + bytes.length);
    reader.datagram(direction);
    // A cipher may have been applied to it only now.
    const foreign = stream.foreignBytes - foreignBytes;
    const plaintext = this.#session.observer?.plaintext;
    if (foreign === 0) plaintext?.datagram(direction, whole, missing, origin);
    else if (foreign < whole.length) plaintext?.datagram(direction, whole.subarray(0, -foreign), 0, origin);
    else plaintext?.foreign?.(direction, origin);
  }

  conflict(direction: Direction, differing: number, origin: Origin): void {
    this.#session.observer?.conflict?.(direction, differing, origin);
  }

  finished(direction: Direction): void {
    const session = this.#session;
    session.observer?.finished?.(direction);
    if (session.isOnlyCounted) return;
    const stream = inDirection(session.streams, direction);
    stream.ended = true;
    stream.isClosed = true;
    this.#advance(direction);
  }

  flipped(): void {
    this.#session.flip();
    this.#elsewhere?.flipped();
    this.#session.observer?.flipped?.();
  }

  closed(reason: EndReason, by?: Direction): void {
    const session = this.#session;
    const { conversation, observer } = session;
    const { client } = conversation;
    session.streams.c2s.ended = true;
    session.streams.s2c.ended = true;
    // There may be too little to be sure, but more will not come.
    if (this.#reader === undefined && !session.isOnlyCounted) {
      if (conversation.transport === "tcp") this.#recognise();
      else this.#forget();
    }
    this.#reader?.closed();
    this.#elsewhere?.closed();
    this.#context.open--;
    const hasFlipped = conversation.client !== client;
    observer?.closed?.(reason, by !== undefined && hasFlipped ? opposite(by) : by);
  }

  /** Appends bytes to a stream; if the dissector's cipher fails on them, nothing more of the direction is dissected. */
  #append(direction: Direction, bytes: Uint8Array, origin: Origin): void {
    const session = this.#session;
    const stream = inDirection(session.streams, direction);
    try {
      stream.append(bytes, origin);
    } catch (error) {
      stream.abandon("cipher failed");
      const dissector = session.recognisedBy?.name ?? "";
      const { offset } = stream;
      this.#context.onInternalError?.({ error, dissector, stream: session.conversation.stream, direction, offset });
    }
  }

  #advance(direction: Direction): void {
    const known = this.#reader;
    const reader = known ?? this.#recognise();
    if (reader === undefined) return;
    // If the protocol was not known until now, both directions may have bytes.
    reader.advanced(known === undefined ? "c2s" : direction);
    const session = this.#session;
    if (session.observer?.plaintext === undefined || session.analyzer === undefined) return;
    const { encryptionState, mayLeave } = session.analyzer;
    if (encryptionState.encryption === "none" && mayLeave !== true) session.settle();
  }

  /** Has dissectors recognise the conversation; returns who reads it from then on. */
  #recognise(): SessionReader | undefined {
    const session = this.#session;
    const { recogniser, listener, limits, limitCounts } = this.#context;
    const answer = recogniser.recognise(session);
    if (session.isRecognised()) {
      if (!this.isOwn) {
        this.#elsewhere = listener.recognisedElsewhere?.(session);
        session.leave();
        return undefined;
      }
      session.reportPlaintext();
      session.observer?.recognised?.(session);
      this.#reader = listener.recognised(session);
      return this.#reader;
    }
    const { c2s, s2c } = session.streams;
    const isDecided = answer !== "more" || (session.ended("c2s") && session.ended("s2c"));
    if (isDecided) this.#forget();
    else if (Math.max(c2s.held, s2c.held) > limits[this.#openingLimit]) {
      limitCounts.reached(this.#openingLimit);
      this.#forget();
    }
    return undefined;
  }

  /** The limit on the bytes that are kept of a conversation until it is recognised. */
  get #openingLimit(): "openingBytes" | "openingBytesOfMany" {
    return this.#context.open > this.#context.limits.manyConversations ? "openingBytesOfMany" : "openingBytes";
  }

  #forget(): void {
    this.#session.forget();
    this.#session.observer?.forgotten?.();
  }
}
