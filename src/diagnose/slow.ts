import type { Message } from "../dissect/message.js";
import { BoundedMap, keyOf, OTHERS, partsOf, Quantiles } from "../stats/index.js";
import { numbered } from "./filter-text.js";
import type { Example, Finding } from "./finding.js";
import { MOST_NUMBERS } from "./group.js";
import type { KnownRequest } from "./requests.js";

/** A reply is slow if it took so many times as long as half of its kind. */
const TIMES_MEDIAN = 5;
/** Of fewer replies, nobody can say what is usual. */
const LEAST_COMPARED = 4;
/** They are slow if they took so many times what a person notices. */
const TIMES_NOTICED = 10;
/** Most examples. */
const MOST_EXAMPLES = 3;

/** A reply that took long enough for a person to notice. */
interface Reply {
  readonly number: number;
  readonly milliseconds: number;
  readonly asked: string;
}

/** The replies to requests of one kind. */
class Replies {
  readonly times = new Quantiles();
  /** The slowest ones, in no order. */
  #slowest: Reply[] = [];
  /** How long the slowest of those took that are no longer among them. */
  #forgotten = 0;

  add(reply: Reply, noticed: number): void {
    this.times.add(reply.milliseconds);
    if (reply.milliseconds < noticed) return;
    this.#slowest.push(reply);
    // Sorted so seldom that it costs little for each.
    if (this.#slowest.length <= 10 * MOST_NUMBERS) return;
    const { slowest } = this;
    this.#slowest = slowest.slice(0, 5 * MOST_NUMBERS);
    this.#forgotten = Math.max(this.#forgotten, slowest[5 * MOST_NUMBERS]?.milliseconds ?? 0);
  }

  /** How many took at least so long: exact, unless some of them are forgotten. @param listed those that are known */
  countFrom(milliseconds: number, listed: number): number {
    return this.#forgotten < milliseconds ? listed : Math.max(listed, this.times.countFrom(milliseconds));
  }

  /** The slowest first. */
  get slowest(): readonly Reply[] {
    return this.#slowest.toSorted((a, b) => b.milliseconds - a.milliseconds);
  }
}

/** Finds replies that took long, against others of their kind. */
export class SlowReplies {
  readonly #kinds: BoundedMap<Replies>;

  /** @param noticed how many milliseconds a person notices: nothing faster is slow */
  constructor(
    most: number,
    readonly noticed: number,
  ) {
    this.#kinds = new BoundedMap(() => new Replies(), most);
  }

  take({ nodes, number, protocol }: Message, request: KnownRequest | undefined): void {
    const { answers } = nodes?.context ?? {};
    if (answers?.milliseconds === undefined || !answers.isFirst) return;
    const { name, milliseconds } = answers;
    this.#kinds.of(keyOf(protocol, name)).add({ number, milliseconds, asked: request?.asked.text ?? "" }, this.noticed);
  }

  get findings(): Finding[] {
    return this.#kinds.entries().flatMap(([key, replies]) => {
      const [protocol = "", message = ""] = partsOf(key, 2);
      if (protocol === OTHERS) return [];
      const { times, slowest } = replies;
      const median = times.at(0.5);
      const isCompared = times.count >= LEAST_COMPARED;
      const bound = Math.max(this.noticed, isCompared ? TIMES_MEDIAN * median : TIMES_NOTICED * this.noticed);
      const slow = slowest.filter(({ milliseconds }) => milliseconds >= bound);
      if (slow.length === 0) return [];
      const named = slow.slice(0, MOST_NUMBERS).map(({ number }) => number);
      return {
        kind: "slow",
        protocol,
        message,
        what: `half of ${times.count} took ${timeText(median)} or less`,
        count: replies.countFrom(bound, slow.length),
        examples: slow.slice(0, MOST_EXAMPLES).map(exampleOf),
        filter: numbered(named.sort((a, b) => a - b)),
        shown: named.length,
      };
    });
  }
}

function exampleOf({ number, milliseconds, asked }: Reply): Example {
  return { number, text: `${timeText(milliseconds)}${asked === "" ? "" : ` for ${asked}`}`, count: 1 };
}

function timeText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${milliseconds.toFixed(milliseconds >= 10 ? 0 : 1)} ms`;
}
