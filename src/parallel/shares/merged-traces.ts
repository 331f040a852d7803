import type { Limits } from "../../limits.js";
import type { FrameOrder } from "../../network/frame-order.js";
import { CommonNames, type Moment } from "./common-names.js";
import { Event, type Trace } from "./trace.js";
import { TraceReader } from "./trace-reader.js";

const NEVER = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/** Whom the traces of all threads concern. */
export interface MergedTracesClient {
  /** Called with what may make the results differ from those of one thread, to follow "because". */
  readonly unusual: (why: string) => void;
  /** Called with memory that a thread may use again. */
  readonly released: (thread: number, memory: readonly ArrayBufferLike[]) => void;
}

/**
 * Puts what several threads have found out of their conversations in the order in which one thread would have: numbers
 * the messages, and keeps the names, which conversations have in common.
 */
export abstract class MergedTraces<Content> {
  protected readonly names: CommonNames;
  /** Number of the last message. */
  number = 0;
  readonly #readers: readonly TraceReader<Content>[];
  /** Where the last event stands, and the thread that it is of. */
  #frameOrder: FrameOrder = -1;
  #thread = -1;
  /** True once anything was unusual: what follows may not be passed on. */
  #isOver = false;

  constructor(
    threads: number,
    readonly limits: Limits,
    readonly client: MergedTracesClient,
  ) {
    const texts = new Map<string, string>();
    this.#readers = Array.from({ length: threads }, (_, thread) => {
      return new TraceReader<Content>(texts, ({ content, memory }) => {
        client.released(thread, [memory, ...this.ended(content)]);
      });
    });
    this.names = new CommonNames(limits, this.unusual);
  }

  /** Takes an event that is not about names. */
  protected abstract take(event: number, reader: TraceReader<Content>): void;

  /** Takes what has come with events, once all of them have been taken. @returns its memory, if that can be used again */
  protected abstract ended(content: Content): readonly ArrayBufferLike[];

  /** Called at the end, if nothing was unusual. */
  abstract finish(): void;

  /** Number of traces of a thread that wait for those of others. */
  waiting(thread: number): number {
    return this.#readers[thread]?.waiting ?? 0;
  }

  /** True once all threads have ended, and everything has been passed on. */
  get isDone(): boolean {
    return this.#readers.every(
      ({ frontier, frameOrder }) => frontier === Number.POSITIVE_INFINITY && frameOrder === undefined,
    );
  }

  /** Takes the next trace of a thread. */
  add(thread: number, trace: Trace<Content>): void {
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
    while (!this.#isOver && this.#passSome()) {}
  }

  protected readonly unusual = (why: string): void => {
    this.#isOver = true;
    this.client.unusual(why);
  };

  /** Passes on the events of one thread up to the next of another one; false if it is not known which come next. */
  #passSome(): boolean {
    let [thread, least, next, unknown] = [-1, ...NEVER];
    for (let index = 0; index < this.#readers.length; index++) {
      const { frameOrder, frontier = 0 } = this.#readers[index] ?? {};
      if (frameOrder === undefined) unknown = Math.min(unknown, frontier + 1);
      else if (frameOrder < least) [thread, least, next] = [index, frameOrder, least];
      else next = Math.min(next, frameOrder);
    }
    const reader = this.#readers[thread];
    if (reader === undefined || least >= unknown) return false;
    // Each frame belongs to one conversation; but what ends with time can end at any frame.
    const isTied = least === next || (least === this.#frameOrder && thread !== this.#thread);
    if (isTied) this.unusual("messages came at the same time");
    if (least < this.#frameOrder) this.unusual("the order of messages is uncertain");
    if (isTied || least < this.#frameOrder) return false;
    const limit = Math.min(next, unknown);
    this.#thread = thread;
    for (let at = reader.frameOrder; at !== undefined && at < limit && !this.#isOver; at = reader.frameOrder) {
      this.#frameOrder = at;
      this.#event(reader);
      reader.endEvent();
    }
    return true;
  }

  #event(reader: TraceReader<Content>): void {
    const event = reader.event();
    const isOfName = event === Event.Name || event === Event.CalledAfter || event === Event.Asked;
    if (isOfName) this.#name(event, reader);
    else this.take(event, reader);
  }

  /** Numbers messages. @param messages how many there are */
  protected count(reader: TraceReader<Content>, messages: number): void {
    this.number += messages;
    reader.number += messages;
  }

  /** When the next message of a thread comes. */
  protected nextOf({ number }: TraceReader<Content>): Moment {
    return { frameOrder: this.#frameOrder, number: number + 1 };
  }

  #name(event: number, reader: TraceReader<Content>): void {
    const names = this.names.of(reader.text() ?? "");
    const thing = reader.thing();
    if (thing === undefined) return;
    const moment = this.nextOf(reader);
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

  /** One thread stops waiting once too much waits. */
  #checkHeld(): void {
    const all = this.#readers.map(({ held }) => held);
    const captured = Math.max(...all.map((held) => held.captured));
    if (captured === 0) return;
    const inOne = captured + Math.max(...all.map((held) => held.inOne));
    const inAll = captured + all.reduce((sum, held) => sum + held.inAll, 0);
    const { undecidedBytes, queuedBytes } = this.limits;
    if (inOne > undecidedBytes || inAll > queuedBytes) this.unusual("much waited for packets that are missing");
  }
}
