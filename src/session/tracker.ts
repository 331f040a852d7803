import type { Conversation, Direction, EndReason, NetworkListener, Origin } from "../network/conversation.js";
import { DirectionStream } from "./direction-stream.js";
import type {
  Cipher,
  ConversationDissector,
  ConversationHandle,
  DefinitionFile,
  Dissector,
  KeyFile,
  Opening,
} from "./dissector.js";
import { NameBook } from "./name-book.js";

/**
 * Bytes of a direction that are kept while nobody has recognised the conversation. The longest opening of a known
 * protocol is MOUL's connect packet with 67 bytes.
 */
const LONGEST_OPENING = 4096;

/** What a conversation carried, as captured: counted whether it was recognised or not. */
export interface Traffic {
  bytes: number;
  readonly gaps: { readonly offset: number; readonly length: number }[];
}

/** A conversation on its way through the session room. */
export interface Session {
  readonly conversation: Conversation;
  readonly streams: Readonly<Record<Direction, DirectionStream>>;
  readonly traffic: Readonly<Record<Direction, Traffic>>;
  /** The dissector at work on it; undefined while it is not recognised, or if nobody knows it. */
  readonly dissector: ConversationDissector | undefined;
  /** Names that conversations of the same dissector have shown. */
  readonly names: NameBook;
}

/** Takes conversations that a dissector has recognised. All calls are synchronous. */
export interface SessionListener {
  /** New bytes can be dissected in this direction, or it has ended. */
  advanced(session: RecognisedSession, direction: Direction): void;
  /** A datagram has come in this direction: what is readable is all of it. */
  datagram(session: RecognisedSession, direction: Direction): void;
  /** Nothing more comes; what is left in both directions is all there is. */
  closed(session: RecognisedSession): void;
}

export interface RecognisedSession extends Session {
  readonly dissector: ConversationDissector;
}

/** Finds out which conversation speaks what, and hands the recognised ones on, decrypted where a dissector says how. */
export class Tracker implements NetworkListener {
  readonly #names = new Map<Dissector, NameBook>();
  readonly #shared = new Map<Dissector, Map<string, unknown>>();
  readonly #sessions = new Map<Conversation, TrackedSession>();

  /**
   * @param dissectors in the order in which they are asked
   * @param keys the key files that each dissector has read
   */
  constructor(
    readonly dissectors: readonly Dissector[],
    readonly keys: ReadonlyMap<Dissector, readonly KeyFile[]>,
    readonly listener: SessionListener,
    readonly definitions: ReadonlyMap<Dissector, readonly DefinitionFile[]> = new Map(),
  ) {}

  opened(conversation: Conversation): void {
    this.#sessions.set(conversation, new TrackedSession(conversation));
  }

  bytes(conversation: Conversation, direction: Direction, bytes: Uint8Array, origin: Origin): void {
    const session = this.#sessions.get(conversation);
    if (session === undefined) return;
    session.traffic[direction].bytes += bytes.length;
    if (session.unknown) return;
    session.streams[direction].append(bytes, origin);
    this.#advance(session, direction);
  }

  gap(conversation: Conversation, direction: Direction, length: number, reason: "lost" | "cut", origin: Origin): void {
    const session = this.#sessions.get(conversation);
    if (session === undefined) return;
    const { bytes, gaps } = session.traffic[direction];
    gaps.push({ offset: gaps.reduce((offset, gap) => offset + gap.length, bytes), length });
    if (session.unknown) return;
    session.streams[direction].appendGap(length, reason, origin);
    this.#advance(session, direction);
  }

  datagram(conversation: Conversation, direction: Direction, bytes: Uint8Array, missing: number, origin: Origin): void {
    const session = this.#sessions.get(conversation);
    if (session === undefined) return;
    session.traffic[direction].bytes += bytes.length;
    if (session.unknown) return;
    session.streams[direction].append(bytes, origin);
    if (missing > 0) session.streams[direction].appendGap(missing, "cut", origin);
    if (!session.isRecognised()) this.#recognise(session);
    if (session.isRecognised()) this.listener.datagram(session, direction);
    // What nobody knows by its first datagram is not known by the next one either, but that may come from the server.
    else session.forget();
  }

  finished(conversation: Conversation, direction: Direction): void {
    const session = this.#sessions.get(conversation);
    if (session === undefined) return;
    session.streams[direction].ended = true;
    if (!session.unknown) this.#advance(session, direction);
  }

  closed(conversation: Conversation, _reason: EndReason): void {
    const session = this.#sessions.get(conversation);
    if (session === undefined) return;
    this.#sessions.delete(conversation);
    session.streams.c2s.ended = true;
    session.streams.s2c.ended = true;
    if (session.isRecognised()) this.listener.closed(session);
  }

  #advance(session: TrackedSession, direction: Direction): void {
    if (session.isRecognised()) {
      this.listener.advanced(session, direction);
      return;
    }
    this.#recognise(session);
    if (session.isRecognised()) {
      this.listener.advanced(session, "c2s");
      this.listener.advanced(session, "s2c");
    }
  }

  #recognise(session: TrackedSession): void {
    let undecided = false;
    for (const dissector of this.dissectors) {
      const shared = this.#sharedBy(dissector);
      const answer = dissector.recognise(session.opening(shared));
      if (answer === "yes") {
        this.#open(session, dissector);
        return;
      }
      // Without a SYN the client is a guess: the other way round may make sense.
      const turned = session.conversation.clientIsKnown ? "no" : dissector.recognise(session.turnedOpening(shared));
      if (turned === "yes") {
        session.swap();
        this.#open(session, dissector);
        return;
      }
      undecided ||= answer === "more" || turned === "more";
    }
    const { c2s, s2c } = session.streams;
    if (!undecided || Math.max(c2s.received, s2c.received) > LONGEST_OPENING) session.forget();
  }

  #sharedBy(dissector: Dissector): Map<string, unknown> {
    let shared = this.#shared.get(dissector);
    if (shared === undefined) {
      shared = new Map();
      this.#shared.set(dissector, shared);
    }
    return shared;
  }

  #open(session: TrackedSession, dissector: Dissector): void {
    let names = this.#names.get(dissector);
    if (names === undefined) {
      names = new NameBook();
      this.#names.set(dissector, names);
    }
    session.names = names;
    session.shared = this.#sharedBy(dissector);
    session.keys = this.keys.get(dissector) ?? [];
    session.definitions = this.definitions.get(dissector) ?? [];
    session.dissector = dissector.open(session);
  }
}

class TrackedSession implements Session, ConversationHandle {
  streams: Record<Direction, DirectionStream> = { c2s: new DirectionStream(), s2c: new DirectionStream() };
  traffic: Record<Direction, Traffic> = { c2s: { bytes: 0, gaps: [] }, s2c: { bytes: 0, gaps: [] } };
  dissector: ConversationDissector | undefined;
  keys: readonly KeyFile[] = [];
  definitions: readonly DefinitionFile[] = [];
  names = new NameBook();
  shared = new Map<string, unknown>();
  /** True once nobody knows the conversation: its bytes are only counted. */
  unknown = false;

  constructor(readonly conversation: Conversation) {}

  get transport() {
    return this.conversation.transport;
  }

  get client() {
    return this.conversation.client;
  }

  get server() {
    return this.conversation.server;
  }

  isRecognised(): this is RecognisedSession {
    return this.dissector !== undefined;
  }

  opening(shared: Map<string, unknown>): Opening {
    const { transport, client, server } = this.conversation;
    return { transport, client, server, c2s: this.pending("c2s"), s2c: this.pending("s2c"), shared };
  }

  turnedOpening(shared: Map<string, unknown>): Opening {
    const { transport, client, server, c2s, s2c } = this.opening(shared);
    return { transport, client: server, server: client, c2s: s2c, s2c: c2s, shared };
  }

  swap(): void {
    this.conversation.swap();
    this.streams = { c2s: this.streams.s2c, s2c: this.streams.c2s };
    this.traffic = { c2s: this.traffic.s2c, s2c: this.traffic.c2s };
  }

  /** Nobody knows the conversation: lets go of its bytes. */
  forget(): void {
    this.unknown = true;
    this.streams = { c2s: new DirectionStream(), s2c: new DirectionStream() };
  }

  pending(direction: Direction): Uint8Array {
    const { bytes, start, end } = this.streams[direction];
    return bytes.subarray(start, end);
  }

  ended(direction: Direction): boolean {
    return this.streams[direction].ended;
  }

  decrypt(direction: Direction, cipher: Cipher): void {
    this.streams[direction].decrypt(cipher);
  }
}
