import type { Held } from "../../dissect/order/order-watch.js";
import type { Origin } from "../../network/conversation.js";
import type { FrameOrder } from "../../network/frame-order.js";
import type { NamedThing } from "../../session/name-book.js";
import type { Exchange } from "../../stats/index.js";
import { Flag, type Trace } from "./trace.js";

/** Some messages of a thread that ended with the same packet. */
export interface TracedMessages {
  readonly messages: number;
  /** How many of them count, and when they ended. */
  readonly counted: number;
  readonly origin: Origin;
}

/** What is wrong with a message. */
export interface TracedTrouble {
  readonly stream: number;
  readonly protocol: string;
  readonly name: string;
  readonly status: string;
  readonly note: string | undefined;
  /** True for a range that is not a message. */
  readonly isRange: boolean;
}

/** Reads the traces of one thread. */
export class TraceReader<Content> {
  /** Up to where in the order of frames everything has come. */
  frontier: FrameOrder = 0;
  held: Held = { captured: 0, inOne: 0, inAll: 0 };
  /** Number of the last message, as the thread counts them. */
  number = 0;
  readonly #traces: Trace<Content>[] = [];
  #numbers: Float64Array = new Float64Array(0);
  #at = 0;
  /** How many numbers of the current trace there are. */
  #end = 0;
  readonly #texts: string[] = [];
  /** The numbers of messages that ask for an answer: the thread's, and those that they have got. */
  readonly #asked: number[] = [];
  readonly #askedAs: number[] = [];

  /**
   * @param common the texts of all threads: looking up one and the same string is faster than an equal one
   * @param read called with each trace that has been read
   */
  constructor(
    readonly common: Map<string, string>,
    readonly read: (trace: Trace<Content>) => void,
  ) {}

  /** What has come with the event. */
  get content(): Content | undefined {
    return this.#traces[0]?.content;
  }

  /** Number of traces that are still to be read. */
  get waiting(): number {
    return this.#traces.length;
  }

  add(trace: Trace<Content>): void {
    for (const text of trace.texts) {
      const known = this.common.get(text);
      if (known === undefined) this.common.set(text, text);
      this.#texts.push(known ?? text);
    }
    this.frontier = trace.frontier;
    this.held = trace.held;
    if (trace.length === 0) this.read(trace);
    else if (this.#traces.push(trace) === 1) this.#open();
  }

  /** Where the next event stands; undefined if none has come. */
  get frameOrder(): FrameOrder | undefined {
    return this.#at < this.#end ? this.#numbers[this.#at + 1] : undefined;
  }

  /** Goes on to the next event. @returns which it is */
  event(): number {
    const event = this.#whole();
    this.#at++;
    return event;
  }

  /** Ends an event that has been read. */
  endEvent(): void {
    if (this.#at < this.#end) return;
    const read = this.#traces.shift();
    if (read !== undefined) this.read(read);
    this.#open();
  }

  /** Reads how long a line is, and after how many bytes its number belongs; negative for nowhere. */
  line(): readonly [length: number, numberAt: number] {
    return [this.#whole(), this.#whole()];
  }

  /** Reads what is wrong with a message. */
  trouble(): TracedTrouble {
    const stream = this.#whole();
    const [protocol = "", name = "", status = "", note] = [this.text(), this.text(), this.text(), this.text()];
    return { stream, protocol, name, status, note, isRange: this.isTrue() };
  }

  messages(): TracedMessages {
    const messages = this.#whole();
    const counted = this.#whole();
    const origin = { frame: this.#next(), seconds: this.#next(), nanoseconds: this.#next() };
    return { messages, counted, origin };
  }

  /**
   * Reads what the last message says about others.
   *
   * @param number that it has got
   * @returns undefined if that one is not known
   */
  exchange(number: number): Exchange | undefined {
    const flags = this.#whole();
    const [protocol = "", name = ""] = [this.text(), this.text()];
    const length = this.#next();
    const error = this.text();
    const asks = (flags & Flag.Asks) !== 0 && (this.text() ?? true);
    if (asks !== false) {
      this.#asked.push(this.number);
      this.#askedAs.push(number);
    }
    const answers = (flags & Flag.Answers) === 0 ? undefined : this.#answer();
    const forgets = (flags & Flag.Forgets) === 0 ? undefined : this.#forgotten();
    const isKnown = (answers?.number ?? 1) > 0 && (forgets?.number ?? 1) > 0;
    return isKnown ? { number, name, protocol, length, answers, asks, forgets, error } : undefined;
  }

  #answer(): Exchange["answers"] {
    const [number, name = ""] = [this.#numberOf(this.#next()), this.text()];
    const milliseconds = this.#next();
    const isPing = this.isTrue();
    return { number, name, milliseconds: Number.isNaN(milliseconds) ? undefined : milliseconds, isFirst: true, isPing };
  }

  #forgotten(): Exchange["forgets"] {
    const number = this.#numberOf(this.#next());
    return { number, name: this.text() ?? "" };
  }

  /** The number of a message that has asked for an answer; 0 if it is not known. */
  #numberOf(own: number): number {
    const asked = this.#asked;
    let [low, high] = [0, asked.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = asked[middle] ?? 0;
      if (found === own) return this.#askedAs[middle] ?? 0;
      if (found < own) low = middle + 1;
      else high = middle - 1;
    }
    return 0;
  }

  /** Reads a thing that has a name; undefined if there is none. */
  thing(): NamedThing | undefined {
    const [kind, id = ""] = [this.text(), this.text()];
    return kind === undefined ? undefined : { kind, id };
  }

  isTrue(): boolean {
    return this.#whole() !== 0;
  }

  text(): string | undefined {
    const index = this.#whole();
    return index < 0 ? undefined : this.#texts[index];
  }

  #open(): void {
    const trace = this.#traces[0];
    this.#at = 0;
    this.#end = trace?.length ?? 0;
    if (trace !== undefined) this.#numbers = new Float64Array(trace.memory);
  }

  /** Reads a whole number of 32 bits, which V8 need not keep as a floating-point number. */
  #whole(): number {
    return (this.#numbers[this.#at++] ?? 0) | 0;
  }

  #next(): number {
    return this.#numbers[this.#at++] ?? 0;
  }
}
