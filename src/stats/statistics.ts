import type { Message } from "../dissect/message.js";
import type { Limits } from "../limits.js";
import { type Origin, secondsBetween } from "../network/conversation.js";
import type { Answer, MessageContext } from "../schema/language/message-context.js";
import { BoundedMap } from "./bounded-map.js";
import { addTo, type Count, noCount } from "./count.js";
import { keyOf, partsOf } from "./keys.js";
import { Quantiles } from "./quantiles.js";
import { RecentPairs } from "./recent-pairs.js";
import { Tally, type TypeCount } from "./tally.js";
import { Timeline } from "./timeline.js";
import { Unanswered } from "./unanswered.js";

/** Messages of one type that reported one error. */
export interface ErrorCount extends TypeCount {
  readonly error: string;
}

/** How long answers took. */
export interface Latency {
  /** That of the answers. */
  readonly protocol: string;
  /** Name of the request, as in `Answer`. */
  readonly name: string;
  /** In milliseconds. */
  readonly times: Quantiles;
}

/** Requests of one kind that got no reply. */
export interface UnansweredCount {
  readonly protocol: string;
  readonly name: string;
  readonly count: number;
  /** Numbers of the first of these messages. */
  readonly numbers: readonly number[];
}

/** What a message says about others, and about errors. */
export interface Exchange
  extends Pick<Message, "number" | "name" | "protocol" | "length">,
    Pick<MessageContext, "answers" | "asks" | "forgets" | "error"> {}

/** Sums up any number of messages in bounded memory. */
export class Statistics extends Tally {
  readonly #errors: BoundedMap<Count>;
  readonly #latencies: BoundedMap<Quantiles>;
  readonly #latenciesOf: RecentPairs<Quantiles>;
  readonly #pings: BoundedMap<Quantiles>;
  readonly #pingsOf: RecentPairs<Quantiles>;
  readonly #unanswered: BoundedMap<Unanswered>;
  readonly timeline = new Timeline();
  /** When the earliest message ended. */
  first: Origin | undefined;
  /** When the first one that was taken ended: all other times are in seconds since then. */
  #zero: Origin | undefined;
  #earliest = 0;
  #latest = 0;
  #frames = { from: Number.POSITIVE_INFINITY, to: 0 };

  constructor({ countedKeys, timedRequests }: Pick<Limits, "countedKeys" | "timedRequests">) {
    super({ countedKeys });
    const times = () => new BoundedMap(() => new Quantiles(), timedRequests);
    this.#errors = new BoundedMap(noCount, countedKeys);
    [this.#latencies, this.#pings] = [times(), times()];
    this.#latenciesOf = new RecentPairs(this.#latencies);
    this.#pingsOf = new RecentPairs(this.#pings);
    this.#unanswered = new BoundedMap(() => new Unanswered(), timedRequests);
  }

  /** Seconds from the earliest message to the latest one. */
  get seconds(): number {
    return this.#latest - this.#earliest;
  }

  /** The lowest and the highest number of a frame that ends a message. */
  get frames(): { readonly from: number; readonly to: number } {
    return this.#frames;
  }

  /** Error results, by the message that carried them. */
  get errors(): ErrorCount[] {
    return this.#errors.entries().map(([key, count]) => {
      const [protocol = "", name = "", error = ""] = partsOf(key, 3);
      return { protocol, error, name, ...count };
    });
  }

  /** From each request to the first part of its answer. */
  get latencies(): Latency[] {
    return latenciesOf(this.#latencies);
  }

  /** From each ping to its answer. */
  get pings(): Latency[] {
    return latenciesOf(this.#pings);
  }

  /** Requests without a reply, by kind; meaningful only if all messages were taken, not those of a filter. */
  get unanswered(): UnansweredCount[] {
    return this.#unanswered.entries().flatMap(([name, { counts }]) => counts.map((count) => ({ name, ...count })));
  }

  /** Takes the next message, or a range that is not a message. */
  take(message: Message): void {
    this.notice(message.origin, 1);
    this.add(message);
    const { number, name, protocol, length, nodes } = message;
    const { answers, asks, forgets, error } = nodes?.context ?? {};
    if (answers === undefined && !asks && forgets === undefined && error === undefined) return;
    this.exchange({ number, name, protocol, length, answers, asks, forgets, error });
  }

  /** Notes when the next messages ended. */
  notice(origin: Origin, messages: number): void {
    this.first ??= origin;
    this.#zero ??= origin;
    if (origin.frame < this.#frames.from) this.#frames.from = origin.frame;
    if (origin.frame > this.#frames.to) this.#frames.to = origin.frame;
    const seconds = secondsBetween(this.#zero, origin);
    if (seconds < this.#earliest) {
      this.first = origin;
      this.#earliest = seconds;
    } else if (seconds > this.#latest) this.#latest = seconds;
    this.timeline.add(seconds, messages);
  }

  /** Notes what the latest message says about others. */
  exchange({ number, name, protocol, length, answers, asks, forgets, error }: Exchange): void {
    if (error !== undefined) addTo(this.#errors.of(keyOf(protocol, name, error)), length);
    if (asks) this.#unanswered.of(asks === true ? name : asks).asked(number, protocol);
    if (answers !== undefined) this.#answered(answers, protocol);
    // Whether a forgotten request is answered will not be known, so it does not count as unanswered.
    if (forgets !== undefined) this.#unanswered.of(forgets.name).settled(forgets, protocol);
  }

  #answered(answer: Answer, protocol: string): void {
    const { name, milliseconds, isFirst, isPing } = answer;
    if (isFirst) this.#unanswered.of(name).settled(answer, protocol);
    if (!isFirst || milliseconds === undefined) return;
    (isPing ? this.#pingsOf : this.#latenciesOf).of(protocol, name).add(milliseconds);
  }
}

function latenciesOf(requests: BoundedMap<Quantiles>): Latency[] {
  return requests.entries().map(([key, times]) => {
    const [protocol = "", name = ""] = partsOf(key, 2);
    return { protocol, name, times };
  });
}
