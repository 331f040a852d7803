import type { DefinitionFile, Dissector, KeyFile, Recognition } from "../dissector/dissector.js";
import type { InternalError } from "../dissector/failure.js";
import { expectNoPromise } from "../dissector/promise-check.js";
import { defaultLimits, LimitCounts, type Limits } from "../limits.js";
import {
  type Conversation,
  type Direction,
  type EndReason,
  type GapReason,
  inDirection,
  type Origin,
  type TurnableConversation,
  type TurningListener,
} from "../network/conversation.js";
import { checkedConversation } from "./conversation-check.js";
import { type DecodeAsRule, ruleFor } from "./decode-as.js";
import { NameBook, type NameChange } from "./name-book.js";
import type { RecognisedConversation, RecognisedSession, SessionListener } from "./session.js";
import type { PlaintextListener } from "./stream/plaintext.js";
import { SkipAllowance } from "./stream/skip-allowance.js";
import { TrackedSession } from "./tracked-session.js";
import type { Datagram } from "./waiting-datagrams.js";

interface TrackerOptions {
  /** The key files that each dissector has read so far; see `addKeys` for more. */
  readonly keys?: ReadonlyMap<Dissector, readonly KeyFile[]>;
  /** The definition files that each dissector has read. */
  readonly definitions?: ReadonlyMap<Dissector, readonly DefinitionFile[]>;
  /** Rules by which the user has declared protocols: the first that fits a conversation applies. */
  readonly decodeAs?: readonly DecodeAsRule[];
  /**
   * Called if a dissector throws an error while recognising or opening a conversation, after which it is not asked
   * again, and if a cipher throws one.
   */
  readonly onInternalError?: ((error: InternalError) => void) | undefined;
  readonly limits?: Limits;
  /** Counts what is given up because of a limit. */
  readonly limitCounts?: LimitCounts;
  /** Receives the plaintext of recognised conversations. */
  readonly plaintext?: PlaintextListener | undefined;
  /** Called for each conversation once it is recognised. */
  readonly onRecognised?: ((session: RecognisedConversation) => void) | undefined;
  /** Called when a name becomes known to a dissector, changes, or is dropped because it stands for something else. */
  readonly onName?: ((dissector: Dissector, change: NameChange) => void) | undefined;
}

/** Determines the protocol of each conversation and passes on those recognised, decrypted as their dissector says. */
export class Tracker implements TurningListener {
  readonly #names = new Map<Dissector, NameBook>();
  readonly #shared = new Map<Dissector, Map<string, unknown>>();
  readonly #sessions = new Map<Conversation, TrackedSession>();
  /** Dissectors that have failed, and are not asked again. */
  readonly #failed = new Set<Dissector>();
  /** The key files that each dissector has read; some are added during the run. */
  readonly #keys: Map<Dissector, readonly KeyFile[]>;
  readonly #limits: Limits;
  readonly #allowance: SkipAllowance;
  readonly #limitCounts: LimitCounts;

  /** @param dissectors in the order in which they are asked */
  constructor(
    readonly dissectors: readonly Dissector[],
    readonly listener: SessionListener,
    readonly options: TrackerOptions = {},
  ) {
    this.#keys = new Map(options.keys);
    this.#limits = options.limits ?? defaultLimits;
    this.#allowance = new SkipAllowance(this.#limits);
    this.#limitCounts = options.limitCounts ?? new LimitCounts();
  }

  /**
   * Gives a dissector another key file, for the conversations that are recognised from now on.
   *
   * @returns false if it already has so many that this one is left out
   */
  addKeys(dissector: Dissector, file: KeyFile): boolean {
    const before = this.#keysOf(dissector);
    if (before.length >= this.#limits.keyFiles) return false;
    // A new list: dissectors cache what they have worked out for a list.
    this.#keys.set(dissector, [...before, file]);
    return true;
  }

  #keysOf(dissector: Dissector): readonly KeyFile[] {
    return this.#keys.get(dissector) ?? [];
  }

  opened(conversation: TurnableConversation): void {
    this.#sessions.set(conversation, new TrackedSession(conversation, this.#limits, this.#allowance));
  }

  bytes(conversation: Conversation, direction: Direction, bytes: Uint8Array, origin: Origin): void {
    const session = this.#sessions.get(conversation);
    if (session === undefined || session.isOnlyCounted) return;
    this.#append(session, direction, bytes, origin);
    this.#advance(session, direction);
  }

  held(conversation: Conversation, direction: Direction, length: number, origin: Origin): void {
    const session = this.#sessions.get(conversation);
    if (session === undefined || session.isOnlyCounted) return;
    session.streams[direction].postponed.add(length, origin);
    if (session.isRecognised()) this.listener.held(session, direction, origin);
  }

  gap(conversation: Conversation, direction: Direction, length: number, reason: GapReason, origin: Origin): void {
    const session = this.#sessions.get(conversation);
    if (session === undefined || session.isOnlyCounted) return;
    const stream = inDirection(session.streams, direction);
    const isOver = stream.isPendingAll;
    stream.appendGap(length, reason, origin);
    // Bytes after a gap are no evidence for a dissector, so a further gap is no reason to ask again.
    if (session.isRecognised() || !isOver) this.#advance(session, direction);
  }

  datagram(conversation: Conversation, direction: Direction, bytes: Uint8Array, missing: number, origin: Origin): void {
    const session = this.#sessions.get(conversation);
    if (session === undefined || session.isOnlyCounted) return;
    const datagram = { direction, bytes, missing, origin };
    if (session.isRecognised()) {
      this.#dissect(session, datagram);
      return;
    }
    session.ask(datagram);
    this.#recognise(session);
    if (session.isRecognised()) {
      if (session.dropped > 0) this.#limitCounts.reached(this.#openingLimit);
      for (const waiting of session.takeWaiting()) this.#dissect(session, waiting);
    } else if (!session.isOnlyCounted) {
      const gone = session.wait(this.#limits[this.#openingLimit]);
      for (const { direction } of gone) this.options.plaintext?.dropped?.(conversation, direction);
    }
  }

  #dissect(session: TrackedSession & RecognisedSession, { direction, bytes, missing, origin }: Datagram): void {
    const stream = inDirection(session.streams, direction);
    this.#append(session, direction, bytes, origin);
    if (missing > 0) stream.appendGap(missing, "cut", origin);
    const whole = stream.bytes.subarray(stream.start, stream.start + bytes.length);
    this.listener.datagram(session, direction);
    // A cipher may have been applied to it only now.
    this.options.plaintext?.datagram(session.conversation, direction, whole, missing, origin);
  }

  finished(conversation: Conversation, direction: Direction): void {
    const session = this.#sessions.get(conversation);
    if (session === undefined || session.isOnlyCounted) return;
    const stream = inDirection(session.streams, direction);
    stream.ended = true;
    stream.isClosed = true;
    this.#advance(session, direction);
  }

  closed(conversation: Conversation, reason: EndReason): void {
    const session = this.#sessions.get(conversation);
    if (session === undefined) return;
    this.#sessions.delete(conversation);
    session.streams.c2s.ended = true;
    session.streams.s2c.ended = true;
    // There may be too little to be sure, but more will not come.
    if (!session.isRecognised() && !session.isOnlyCounted) {
      if (conversation.transport === "tcp") this.#recognise(session);
      else this.#forget(session);
    }
    if (session.isRecognised()) this.listener.closed(session);
    this.options.plaintext?.closed(conversation, reason);
  }

  ended(): void {
    this.listener.ended();
  }

  /** Appends bytes to a stream; if the dissector's cipher fails on them, nothing more of the direction is dissected. */
  #append(session: TrackedSession, direction: Direction, bytes: Uint8Array, origin: Origin): void {
    const stream = inDirection(session.streams, direction);
    try {
      stream.append(bytes, origin);
    } catch (error) {
      stream.abandon("cipher failed");
      const dissector = session.spokenBy?.name ?? "";
      const { offset } = stream;
      this.options.onInternalError?.({ error, dissector, stream: session.conversation.stream, direction, offset });
    }
  }

  #advance(session: TrackedSession, direction: Direction): void {
    const wasRecognised = session.isRecognised();
    if (!wasRecognised) this.#recognise(session);
    if (!session.isRecognised()) return;
    this.listener.advanced(session, wasRecognised ? direction : "c2s");
    const { plaintext } = this.options;
    if (plaintext !== undefined && session.dissector.encryptionState.encryption === "none") session.settle();
  }

  #recognise(session: TrackedSession): void {
    if (this.#openAsDeclared(session)) return;
    let undecided = false;
    for (const dissector of this.#inOrderFor(session)) {
      const answer = this.#ask(session, dissector);
      if (answer === "yes" && this.#open(session, dissector)) return;
      undecided ||= answer === "more";
    }
    const { c2s, s2c } = session.streams;
    const limit = this.#openingLimit;
    const isDecided = !undecided || (session.ended("c2s") && session.ended("s2c"));
    if (isDecided) this.#forget(session);
    else if (Math.max(c2s.held, s2c.held) > this.#limits[limit]) {
      this.#limitCounts.reached(limit);
      this.#forget(session);
    }
  }

  /** The limit on the bytes that are kept of a conversation until it is recognised. */
  get #openingLimit(): "openingBytes" | "openingBytesOfMany" {
    return this.#sessions.size > this.#limits.manyConversations ? "openingBytesOfMany" : "openingBytes";
  }

  #forget(session: TrackedSession): void {
    session.forget();
    this.options.plaintext?.forgotten?.(session.conversation);
  }

  /** Opens a conversation for which the user has declared a protocol. */
  #openAsDeclared(session: TrackedSession): boolean {
    const found = ruleFor(this.options.decodeAs ?? [], session.conversation);
    if (found === undefined || this.#failed.has(found.rule.dissector)) return false;
    if (found.serverIsClient) session.swap();
    return this.#open(session, found.rule.dissector, found.rule.protocol);
  }

  /** The dissectors in the order in which they are asked: first those that list the port. */
  #inOrderFor({ conversation: { transport, client, server, clientIsKnown } }: TrackedSession): readonly Dissector[] {
    const knows = ({ ports = [] }: Dissector) =>
      ports.some(
        (hint) =>
          hint.transport === transport && (hint.port === server.port || (!clientIsKnown && hint.port === client.port)),
      );
    const able = this.dissectors.filter((dissector) => !this.#failed.has(dissector));
    return able.some(knows) ? [...able.filter(knows), ...able.filter((dissector) => !knows(dissector))] : able;
  }

  /** Asks a dissector about a conversation; swaps client and server if it is recognised that way round. */
  #ask(session: TrackedSession, dissector: Dissector): Recognition {
    const shared = this.#sharedBy(dissector);
    try {
      const answer = checkedAnswer(dissector.recognise(session.opening(shared, "c2s")));
      if (answer === "yes" || session.conversation.clientIsKnown) return answer;
      // Without a SYN the client is a guess: the other way round may make sense.
      const turned = checkedAnswer(dissector.recognise(session.opening(shared, "s2c")));
      if (turned === "yes") session.swap();
      return turned === "no" ? answer : turned;
    } catch (error) {
      this.#giveUp(session, dissector, error);
      return "no";
    }
  }

  #giveUp(session: TrackedSession, dissector: Dissector, error: unknown): void {
    this.#failed.add(dissector);
    const { stream } = session.conversation;
    this.options.onInternalError?.({ error, dissector: dissector.name, stream, direction: "c2s", offset: 0 });
  }

  #sharedBy(dissector: Dissector): Map<string, unknown> {
    let shared = this.#shared.get(dissector);
    if (shared === undefined) {
      shared = new Map();
      this.#shared.set(dissector, shared);
    }
    return shared;
  }

  #open(session: TrackedSession, dissector: Dissector, protocol?: string): boolean {
    let names = this.#names.get(dissector);
    if (names === undefined) {
      const { onName } = this.options;
      const changed = onName && ((change: NameChange) => onName(dissector, change));
      names = new NameBook(this.#limits, this.#limitCounts.reached, { changed });
      this.#names.set(dissector, names);
    }
    session.names = names;
    session.shared = this.#sharedBy(dissector);
    session.keys = this.#keysOf(dissector);
    session.definitions = this.options.definitions?.get(dissector) ?? [];
    try {
      const opened = checkedConversation(dissector.open(session, protocol), dissector);
      if (opened.nameScope !== undefined) session.names = names.within(opened.nameScope);
      session.dissector = opened;
      session.spokenBy = dissector;
      if (this.options.plaintext !== undefined) session.observe(this.options.plaintext);
    } catch (error) {
      this.#giveUp(session, dissector, error);
      return false;
    }
    if (session.isRecognised()) this.options.onRecognised?.(session);
    return true;
  }
}

/** Returns the answer if it is valid: external dissectors may be plain JavaScript, which no compiler has checked. */
function checkedAnswer(answer: Recognition): Recognition {
  if (answer === "yes" || answer === "no" || answer === "more") return answer;
  expectNoPromise(answer, "recognise()");
  throw new TypeError(`recognise() returned ${String(answer)} instead of "yes", "no" or "more"`);
}
