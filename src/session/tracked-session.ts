import type { Limits } from "../limits.js";
import type { Conversation, Direction } from "../network/conversation.js";
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
import { PlaintextDirection, type PlaintextListener } from "./plaintext.js";
import type { RecognisedSession, Session } from "./session.js";
import type { SkipAllowance } from "./skip-allowance.js";

/** The names of conversations that are not recognised. */
const NO_NAMES = new NameBook();
const NOTHING_SHARED = new Map<string, unknown>();

/** A conversation as the tracker keeps it, and as its dissector has it in hand. */
export class TrackedSession implements Session, ConversationHandle {
  streams: Record<Direction, DirectionStream>;
  dissector: ConversationDissector | undefined;
  spokenBy: Dissector | undefined;
  keys: readonly KeyFile[] = [];
  definitions: readonly DefinitionFile[] = [];
  names = NO_NAMES;
  shared = NOTHING_SHARED;
  /**
   * True once it is clear that no dissector knows the conversation, or nothing more of it is wanted: its bytes are only
   * counted.
   */
  isOnlyCounted = false;
  #passedOver = 0;

  constructor(
    readonly conversation: Conversation,
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

  isRecognised(): this is RecognisedSession {
    return this.dissector !== undefined;
  }

  /** @param turned with client and server exchanged */
  opening(shared: Map<string, unknown>, turned: boolean): Opening {
    const { transport, client, server, clientIsKnown } = this.conversation;
    const [c2s, s2c] = [this.pending("c2s"), this.pending("s2c")];
    const isWhole = clientIsKnown && !this.streams.c2s.beginsWithGap && !this.streams.s2c.beginsWithGap;
    const both = { transport, midstream: transport === "tcp" && !isWhole, shared };
    return turned
      ? { ...both, client: server, server: client, c2s: s2c, s2c: c2s, final: this.ended("s2c") }
      : { ...both, client, server, c2s, s2c, final: this.ended("c2s") };
  }

  swap(): void {
    this.conversation.swap();
    this.streams = { c2s: this.streams.s2c, s2c: this.streams.c2s };
  }

  /** The conversation is not recognised: lets go of its bytes. */
  forget(): void {
    this.dissector = undefined;
    this.leave();
  }

  leave(): void {
    this.isOnlyCounted = true;
    this.#letGo();
  }

  /** Lets go of a datagram that does not tell what the conversation is. */
  passOver(): void {
    this.#passedOver++;
    this.#letGo();
  }

  takePassedOver(): number {
    const count = this.#passedOver;
    this.#passedOver = 0;
    return count;
  }

  #letGo(): void {
    this.streams = this.#newStreams();
  }

  pending(direction: Direction): Uint8Array {
    return this.streams[direction].pending;
  }

  ended(direction: Direction): boolean {
    return this.streams[direction].isPendingAll;
  }

  hungUp(direction: Direction): boolean {
    const stream = this.streams[direction];
    return stream.isClosed && stream.gap === undefined && !stream.broken;
  }

  decrypt(direction: Direction, cipher: Cipher): void {
    this.streams[direction].decrypt(cipher);
  }

  /** Attaches a plaintext listener. */
  observe(plaintext: PlaintextListener): void {
    const { conversation, streams } = this;
    if (conversation.transport === "udp") return;
    streams.c2s.tellTo(new PlaintextDirection(conversation, "c2s", plaintext));
    streams.s2c.tellTo(new PlaintextDirection(conversation, "s2c", plaintext));
  }

  /** Nothing of the conversation will be deciphered. */
  settle(): void {
    this.streams.c2s.settle();
    this.streams.s2c.settle();
  }
}
