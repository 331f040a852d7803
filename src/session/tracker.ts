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
  /** Which conversations are passed on, by their numbers; all by default. */
  readonly owns?: ((stream: number) => boolean) | undefined;
  /** Follows what `NetworkListener` has of these. */
  readonly order?: Pick<Required<NetworkListener>, "arrives" | "ending"> | undefined;
}

/** Determines the protocol of each conversation and passes on those recognised, decrypted as their dissector says. */
export class Tracker implements NetworkListener {
  readonly #context: TrackingContext;
  readonly #limits: Limits;
  readonly #allowance: SkipAllowance;
  readonly #observer: NetworkObserver | undefined;
  readonly #owns: TrackerOptions["owns"];
  /** Undefined where nobody wants to know: it is called for every packet. */
  readonly carries: NetworkListener["carries"];
  readonly #order: TrackerOptions["order"];

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
    this.#owns = options.owns;
    this.#order = options.order;
  }

  /** See `Recogniser.isDivisible`. */
  isDivisible(threads: number): boolean {
    return this.#context.recogniser.isDivisible(threads);
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
    const isOwn = this.#owns?.(conversation.stream) ?? true;
    const observer = isOwn ? this.#observer?.opened?.(conversation, origin) : undefined;
    const session = new TrackedSession(conversation, roles, observer, this.#limits, this.#allowance);
    return new ConversationTracker(session, this.#context, isOwn);
  }

  checksum(note: ChecksumNote, origin: Origin): void {
    this.#observer?.checksum?.(note, origin);
  }

  arrives(): void {
    this.#order?.arrives();
  }

  ending(): void {
    this.#order?.ending();
  }

  ended(): void {
    this.#context.listener.ended();
    this.#observer?.ended?.();
  }
}
