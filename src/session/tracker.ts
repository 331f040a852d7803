import type { Dissector, KeyFile } from "../dissector/dissector.js";
import { defaultLimits, LimitCounts, type Limits } from "../limits.js";
import type {
  ChecksumNote,
  Conversation,
  ConversationListener,
  NetworkListener,
  Origin,
  Roles,
} from "../network/conversation.js";
import { ConversationTracker, type TrackingContext } from "./conversation-tracker.js";
import type { LearntName } from "./name-book.js";
import type { NetworkObserver } from "./observer.js";
import { Recogniser, type RecogniserOptions } from "./recogniser.js";
import type { SessionListener } from "./session.js";
import { SkipAllowance } from "./stream/skip-allowance.js";
import { TrackedSession } from "./tracked-session.js";

interface TrackerOptions extends RecogniserOptions {
  readonly limits?: Limits;
  /** Counts what is given up because of a limit. */
  readonly limitCounts?: LimitCounts;
  /** Watches all conversations, recognised or not. */
  readonly observer?: NetworkObserver | undefined;
}

/** Determines the protocol of each conversation and passes on those recognised, decrypted as their dissector says. */
export class Tracker implements NetworkListener {
  readonly #context: TrackingContext;
  readonly #limits: Limits;
  readonly #allowance: SkipAllowance;
  readonly #observer: NetworkObserver | undefined;
  /** Undefined where nobody wants to know: it is called for every packet. */
  readonly carries: NetworkListener["carries"];

  /** @param dissectors in the order in which they are asked */
  constructor(
    readonly dissectors: readonly Dissector[],
    listener: SessionListener,
    options: TrackerOptions = {},
  ) {
    const { limits = defaultLimits, limitCounts = new LimitCounts(), observer, onInternalError } = options;
    const recogniser = new Recogniser(dissectors, options, limits, limitCounts);
    this.#context = { recogniser, listener, limits, limitCounts, onInternalError, open: 0 };
    this.#limits = limits;
    this.#allowance = new SkipAllowance(limits);
    this.#observer = observer;
    this.carries = observer?.carries?.bind(observer);
  }

  /** See `Recogniser.addKeys`. */
  addKeys(dissector: Dissector, file: KeyFile): boolean {
    return this.#context.recogniser.addKeys(dissector, file);
  }

  /** See `Recogniser.learn`. */
  learn(name: LearntName): void {
    this.#context.recogniser.learn(name);
  }

  began(origin: Origin): void {
    this.#observer?.began?.(origin);
  }

  opened(conversation: Conversation, origin: Origin, roles: Roles): ConversationListener {
    const observer = this.#observer?.opened?.(conversation, origin);
    const session = new TrackedSession(conversation, roles, observer, this.#limits, this.#allowance);
    return new ConversationTracker(session, this.#context);
  }

  checksum(note: ChecksumNote, origin: Origin): void {
    this.#observer?.checksum?.(note, origin);
  }

  ended(): void {
    this.#context.listener.ended();
    this.#observer?.ended?.();
  }
}
