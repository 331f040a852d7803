import type {
  Cipher,
  ConversationDissector,
  ConversationHandle,
  DefinitionFile,
  Dissector,
  KeyFile,
  Opening,
} from "../dissector/dissector.js";
import { defaultLimits, type Limits } from "../limits.js";
import { type Conversation, type Direction, opposite, type Roles } from "../network/conversation.js";
import { type LearntNames, NameBook } from "./name-book.js";
import type { ConversationObserver } from "./observer.js";
import type { RecognisedSession } from "./session.js";
import { DirectionStream } from "./stream/direction-stream.js";
import { PlaintextDirection } from "./stream/plaintext.js";
import type { SkipAllowance } from "./stream/skip-allowance.js";
import { type Datagram, WaitingDatagrams } from "./waiting-datagrams.js";

/** The names of a conversation that has not been recognised. */
const NO_NAMES: LearntNames = new NameBook(defaultLimits, () => {});
const NOTHING_SHARED = new Map<string, unknown>();
const NO_BYTES = new Uint8Array(0);

/** A conversation as the tracker keeps it, and as its dissector sees it. */
export class TrackedSession implements ConversationHandle {
  streams: Record<Direction, DirectionStream>;
  analyzer: ConversationDissector | undefined;
  recognisedBy: Dissector | undefined;
  isTrusted = false;
  keys: readonly KeyFile[] = [];
  definitions: readonly DefinitionFile[] = [];
  names = NO_NAMES;
  shared = NOTHING_SHARED;
  /**
   * True once it is clear that no dissector knows the conversation, or that nothing more of it is wanted: its bytes are
   * only counted.
   */
  isOnlyCounted = false;
  dropped = 0;
  /** The datagram that dissectors are asked about, and the earlier ones that left the protocol undecided. */
  #asked: Datagram | undefined;
  #waiting: WaitingDatagrams | undefined;

  constructor(
    readonly conversation: Conversation,
    readonly roles: Roles,
    readonly observer: ConversationObserver | undefined,
    readonly limits: Limits,
    readonly allowance: SkipAllowance,
  ) {
    this.streams = this.#newStreams();
  }

  #newStreams(): Record<Direction, DirectionStream> {
    const { limits, allowance } = this;
    return { c2s: new DirectionStream(limits, allowance), s2c: new DirectionStream(limits, allowance) };
  }

  get transport() {
    return this.conversation.transport;
  }

  get client() {
    return this.conversation.client;
  }

  get server() {
    return this.conversation.server;
  }

  get midstream(): boolean {
    const { c2s, s2c } = this.streams;
    const { transport, clientIsKnown } = this.conversation;
    return transport === "tcp" && (!clientIsKnown || c2s.beginsWithGap || s2c.beginsWithGap);
  }

  get foreignBytes(): number {
    return this.streams.c2s.foreignBytes + this.streams.s2c.foreignBytes;
  }

  get dissector(): ConversationDissector | undefined {
    return this.analyzer;
  }

  get spokenBy(): Dissector | undefined {
    return this.recognisedBy;
  }

  isRecognised(): this is RecognisedSession {
    return this.analyzer !== undefined;
  }

  /** @param fromClient the direction that is assumed to be the client's */
  opening(shared: Map<string, unknown>, fromClient: Direction): Opening {
    const { transport, client, server, midstream } = this;
    const [c2s, s2c] = [this.pending("c2s"), this.pending("s2c")];
    // The common members are repeated: spreading an object of them takes V8 5 µs, and this is called for every packet.
    const final = this.ended(fromClient);
    return fromClient === "c2s"
      ? { transport, midstream, shared, client, server, c2s, s2c, final }
      : { transport, midstream, shared, client: server, server: client, c2s: s2c, s2c: c2s, final };
  }

  /** Client and server have changed roles. */
  flip(): void {
    this.streams = { c2s: this.streams.s2c, s2c: this.streams.c2s };
    if (this.#asked !== undefined) this.#asked.direction = opposite(this.#asked.direction);
    this.#waiting?.flip();
  }

  /** Gives up the conversation as not recognised, and releases its bytes. */
  forget(): void {
    this.analyzer = undefined;
    this.leave();
  }

  leave(): void {
    this.isOnlyCounted = true;
    this.streams = this.#newStreams();
    this.#asked = undefined;
    this.#waiting = undefined;
  }

  /** Sets the datagram that dissectors are asked about. */
  ask(datagram: Datagram): void {
    this.#asked = datagram;
  }

  /** Keeps the datagram, which left the protocol undecided, until one decides. Returns those dropped to make room. */
  wait(most: number): readonly Datagram[] {
    const asked = this.#asked;
    this.#asked = undefined;
    if (asked === undefined) return [];
    this.#waiting ??= new WaitingDatagrams();
    const gone = this.#waiting.keep(asked, most);
    this.dropped += gone.length;
    return gone;
  }

  /** Returns the datagrams that were waiting, followed by the one that has decided the protocol. */
  takeWaiting(): readonly Datagram[] {
    const datagrams = [...(this.#waiting?.all() ?? []), ...(this.#asked === undefined ? [] : [this.#asked])];
    this.#asked = undefined;
    this.#waiting = undefined;
    return datagrams;
  }

  pending(direction: Direction): Uint8Array {
    const asked = this.#asked;
    if (asked !== undefined) return asked.direction === direction ? asked.bytes : NO_BYTES;
    return this.streams[direction].pending;
  }

  ended(direction: Direction): boolean {
    const asked = this.#asked;
    return asked === undefined
      ? this.streams[direction].isPendingAll
      : asked.direction === direction && asked.missing > 0;
  }

  hungUp(direction: Direction): boolean {
    const stream = this.streams[direction];
    return stream.isClosed && stream.gap === undefined && !stream.broken;
  }

  decrypt(direction: Direction, cipher: Cipher): void {
    this.streams[direction].decrypt(cipher);
  }

  /** Begins to report the plaintext of TCP streams to the observer, if it wants it. */
  reportPlaintext(): void {
    const plaintext = this.observer?.plaintext;
    if (plaintext === undefined || this.transport === "udp") return;
    this.streams.c2s.reportTo(new PlaintextDirection("c2s", plaintext));
    this.streams.s2c.reportTo(new PlaintextDirection("s2c", plaintext));
  }

  /** Notes that nothing of the conversation will be deciphered. */
  settle(): void {
    this.streams.c2s.settle();
    this.streams.s2c.settle();
  }
}
