import type { Message } from "../../dissect/message.js";
import { defaultLimits } from "../../limits.js";
import { type Origin, secondsBetween } from "../../network/conversation.js";
import { printable } from "../../output/writers/sanitise.js";
import { byCount, type Latency, type PartyCount, Statistics, Timeline } from "../../stats/index.js";
import type { MessageStore } from "../../store/message-store.js";
import type { Columns, PartyRow, SessionStatistics } from "../session-api.js";
import { Breathing } from "./breathe.js";
import type { ShownList } from "./shown-list.js";

/** Sums over messages, as the page shows them. */
export class SessionCounts {
  readonly #statistics = new Statistics(defaultLimits);
  readonly #rates = new Timeline();
  readonly #waits = new Timeline(Math.max);

  /** @param first the first packet */
  take(message: Message, first: Origin | undefined): void {
    this.#statistics.take(message);
    if (first === undefined) return;
    const seconds = secondsBetween(first, message.origin);
    this.#rates.add(seconds);
    const { isFirst = false, isPing = false, milliseconds = 0 } = message.nodes?.context?.answers ?? {};
    // Also where nobody waits: both have the same columns.
    this.#waits.add(seconds, isFirst && !isPing ? Math.max(0, milliseconds) : 0);
  }

  /** @param of how many messages there are @param isAll true if they are all counted */
  sums(of: number, isAll: boolean): SessionStatistics {
    const { messages, seconds, types, classes, players, ages, errors, latencies, pings, unanswered, troubles } =
      this.#statistics;
    return {
      messages: { ...messages },
      of,
      seconds,
      types: types.sort(byCount),
      classes: classes.sort(byCount),
      players: players.map(partyRow),
      places: ages.map(partyRow),
      errors: errors.sort(byCount),
      latencies: latencies.map(timesOf).sort(byCount),
      pings: pings.map(timesOf).sort(byCount),
      unanswered: isAll ? unanswered.sort(byCount) : undefined,
      trouble: [...troubles]
        .filter(([, { count }]) => count > 0)
        .map(([name, { count, bytes }]) => ({ name, count, bytes, filter: filterFor(name) })),
      rates: columnsOf(this.#rates),
      waits: columnsOf(this.#waits),
    };
  }
}

/** Sums over the messages that pass the filter of the list. */
export class ShownCounts {
  #counts = new SessionCounts();
  /** The filter whose messages are counted, as the list counts filters, and how many of them. */
  #generation = 0;
  #taken = 0;
  /** Ends when the question before has been answered. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    readonly store: MessageStore,
    readonly list: ShownList,
  ) {}

  /** Counts what has passed since, unless another filter is set meanwhile. @param first the first packet */
  upToDate(first: Origin | undefined): Promise<SessionCounts> {
    const answer = this.#turn.then(() => this.#countOn(first));
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  async #countOn(first: Origin | undefined): Promise<SessionCounts> {
    const { list, store } = this;
    if (this.#generation !== list.generation) {
      this.#counts = new SessionCounts();
      this.#generation = list.generation;
      this.#taken = 0;
    }
    const breathing = new Breathing();
    while (this.#taken < list.count && this.#generation === list.generation) {
      this.#counts.take(store.at(list.indexAt(this.#taken++)), first);
      if (breathing.isDue) await breathing.breathe();
    }
    return this.#counts;
  }
}

function partyRow({ id, idTitle, name, c2s, s2c }: PartyCount): PartyRow {
  return { id: printable(`${idTitle} ${id}`.trim()), name: printable(name), sent: c2s.count, received: s2c.count };
}

function timesOf({ protocol, name, times }: Latency) {
  return { protocol, name, count: times.count, median: times.at(0.5), p95: times.at(0.95), max: times.max };
}

function columnsOf({ begin, width, columns }: Timeline): Columns {
  return { begin, width, values: [...columns] };
}

/** The filter that lists what is counted as a kind of trouble. */
function filterFor(name: string): string {
  if (name === "gap" || name === "skipped" || name === "encrypted" || name === "undissected") return name;
  return `status == "${name}"`;
}
