import type { Limits } from "../../limits.js";
import type { PartyList, Statistics, TallySums } from "../../stats/index.js";
import { CommonNames, type Moment } from "./common-names.js";
import { CommonParties } from "./common-parties.js";
import { Event, type Trace } from "./trace.js";
import { TraceReader } from "./trace-reader.js";

const NEVER = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

const LISTS: readonly PartyList[] = ["players", "ages"];

/** What comes of the traces of all threads. */
interface MergedTracesClient {
  /** Where everything is counted. */
  readonly statistics: Statistics;
  /** Called with what may make the results differ from those of one thread, to follow "because". */
  readonly unusual: (why: string) => void;
  /** Called with memory that a thread may use again. */
  readonly released: (thread: number, memory: SharedArrayBuffer) => void;
}

/**
 * Puts what several threads have found out of their conversations in the order in which one thread would have: numbers
 * the messages, and keeps the names, which conversations have in common.
 */
export class MergedTraces {
  readonly #readers: readonly TraceReader[];
  readonly #names: CommonNames;
  readonly #parties: CommonParties;
  #number = 0;
  /** The place of the last event, and the thread that it is of. */
  #place = -1;
  #thread = -1;

  constructor(
    threads: number,
    readonly limits: Limits,
    readonly client: MergedTracesClient,
  ) {
    const texts = new Map<string, string>();
    this.#readers = Array.from({ length: threads }, (_, thread) => {
      return new TraceReader(texts, (sums, memory) => {
        this.#add(sums);
        client.released(thread, memory);
      });
    });
    this.#names = new CommonNames(limits, client.unusual);
    this.#parties = new CommonParties(this.#names);
  }

  /** Number of traces of a thread that wait for those of others. */
  waiting(thread: number): number {
    return this.#readers[thread]?.waiting ?? 0;
  }

  /** True once all threads have ended, and everything has been passed on. */
  get isDone(): boolean {
    return this.#readers.every(({ frontier, place }) => frontier === Number.POSITIVE_INFINITY && place === undefined);
  }

  /** Takes the next trace of a thread. */
  add(thread: number, trace: Trace): void {
    this.#readers[thread]?.add(trace);
    this.#checkHeld();
  }

  /** Notes that nothing more comes of a thread. */
  end(thread: number): void {
    const reader = this.#readers[thread];
    if (reader !== undefined) reader.frontier = Number.POSITIVE_INFINITY;
  }

  /** Passes on what is certain to come next. */
  drain(): void {
    while (this.#passSome()) {}
  }

  /** Passes on the events of one thread up to the next of another one; false if it is not known which come next. */
  #passSome(): boolean {
    let [thread, least, next, unknown] = [-1, ...NEVER];
    for (let index = 0; index < this.#readers.length; index++) {
      const { place, frontier = 0 } = this.#readers[index] ?? {};
      if (place === undefined) unknown = Math.min(unknown, frontier + 1);
      else if (place < least) [thread, least, next] = [index, place, least];
      else next = Math.min(next, place);
    }
    const reader = this.#readers[thread];
    if (reader === undefined || least >= unknown) return false;
    // Each frame belongs to one conversation; but what ends with time can end at any frame.
    const isTied = least === next || (least === this.#place && thread !== this.#thread);
    if (isTied) this.client.unusual("messages came at the same time");
    if (least < this.#place) this.#uncertain();
    if (isTied || least < this.#place) return false;
    const limit = Math.min(next, unknown);
    this.#thread = thread;
    for (let place = reader.place; place !== undefined && place < limit; place = reader.place) {
      this.#place = place;
      this.#event(reader);
      reader.endEvent();
    }
    return true;
  }

  #event(reader: TraceReader): void {
    const event = reader.event();
    switch (event) {
      case Event.Messages:
        this.#messages(reader);
        break;
      case Event.Exchange: {
        const exchange = reader.exchange(this.#number);
        if (exchange === undefined) this.client.unusual("a message answers an unknown one");
        else this.client.statistics.exchange(exchange);
        break;
      }
      case Event.Type:
        this.client.statistics.newType(reader.text() ?? "");
        break;
      case Event.Party:
        this.#party(reader);
        break;
      default:
        this.#name(event, reader);
    }
  }

  #messages(reader: TraceReader): void {
    const { messages, counted, origin } = reader.messages();
    this.#number += messages;
    reader.number += messages;
    if (counted > 0) this.client.statistics.notice(origin, counted);
  }

  /** When the next message of a thread comes. */
  #nextOf({ number }: TraceReader): Moment {
    return { place: this.#place, number: number + 1 };
  }

  #party(reader: TraceReader): void {
    const list = LISTS[Number(reader.isTrue())] ?? "players";
    const [key = "", dissector = "", scope = ""] = [reader.text(), reader.text(), reader.text()];
    const thing = reader.thing();
    if (thing === undefined) return;
    this.client.statistics.newParty(list, key);
    this.#parties.came(list, key, dissector, scope, thing, this.#nextOf(reader));
  }

  #name(event: number, reader: TraceReader): void {
    const names = this.#names.of(reader.text() ?? "");
    const thing = reader.thing();
    if (thing === undefined) return;
    const moment = this.#nextOf(reader);
    if (event === Event.Asked) {
      const name = reader.text();
      names.asked(thing, name, { thing: reader.thing(), isProvisional: reader.isTrue() }, moment);
      return;
    }
    const isProvisional = reader.isTrue();
    const name = event === Event.Name ? reader.text() : reader.thing();
    const learning = event === Event.Name ? { isProvisional } : { isProvisional, before: reader.text() ?? "" };
    if (name !== undefined) names.learn(thing, name, learning, moment);
  }

  #add(sums: TallySums): void {
    this.#parties.seen(sums);
    const isClear = this.client.statistics.addSums(sums);
    if (!isClear) this.client.unusual('the limit "countedKeys" was reached');
  }

  /** Gives players and ages their names, at the end. */
  nameParties(): void {
    this.client.statistics.nameParties((list, key) => this.#parties.nameOf(list, key));
  }

  #uncertain(): void {
    this.client.unusual("the order of messages is uncertain");
  }

  /** One thread stops waiting once too much waits. */
  #checkHeld(): void {
    const all = this.#readers.map(({ held }) => held);
    const captured = Math.max(...all.map((held) => held.captured));
    if (captured === 0) return;
    const inOne = captured + Math.max(...all.map((held) => held.inOne));
    const inAll = captured + all.reduce((sum, held) => sum + held.inAll, 0);
    const { undecidedBytes, queuedBytes } = this.limits;
    if (inOne > undecidedBytes || inAll > queuedBytes) this.client.unusual("much waited for packets that are missing");
  }
}
