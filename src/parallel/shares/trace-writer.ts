import type { Message } from "../../dissect/message.js";
import type { OrderWatch } from "../../dissect/order/order-watch.js";
import type { FrameOrder } from "../../network/frame-order.js";
import type { Learning, NamedThing, NameWatch } from "../../session/name-book.js";
import { Event, MOST_IN_EVENT, MOST_NUMBERS, NONE, TRACE_BYTES, type Trace } from "./trace.js";

/** Writes down what a thread has found out of its share of the conversations, for the thread where all comes together. */
export abstract class TraceWriter<Content> {
  #numbers = numbersIn(undefined);
  #length = 0;
  readonly #texts = new Map<string, number>();
  #newTexts: string[] = [];
  readonly #spare: ArrayBufferLike[] = [];
  /** What has been written since the last block of input. */
  #written: Trace<Content>[] = [];
  /** The messages that the last packet has completed: where they stand, and how many there are. */
  #frameOrder: FrameOrder = -1;
  #messages = 0;
  #counted = 0;
  #frame = 0;
  #seconds = 0;
  #nanoseconds = 0;

  /**
   * @param order where messages stand
   * @param full called with each trace, between blocks of input
   */
  constructor(
    readonly order: OrderWatch,
    readonly full: (trace: Trace<Content>) => void,
  ) {}

  /** Writes what has to be known of a message. @param passes false if it only has a number */
  abstract message(message: Message, passes: boolean): void;

  /** What has come with the events since the last trace. */
  protected abstract takeContent(): Content;

  /** Takes back memory of a trace that nobody reads any more. */
  give(memory: ArrayBufferLike): void {
    this.#spare.push(memory);
  }

  /**
   * Hands over what has been written, between blocks of input: only then it is known whether anything in the block was
   * unusual.
   */
  flush(): void {
    this.#endMessages();
    this.#endTrace(this.order.frontier);
    const written = this.#written;
    this.#written = [];
    for (const trace of written) this.full(trace);
  }

  #endTrace(frontier: FrameOrder): void {
    const { held } = this.order;
    this.#written.push({
      memory: this.#numbers.buffer,
      length: this.#length,
      texts: this.#newTexts,
      content: this.takeContent(),
      frontier,
      held: { ...held },
    });
    this.#newTexts = [];
    this.#numbers = numbersIn(this.#spare.pop());
    this.#length = 0;
  }

  /** Follows the names of a dissector. */
  namesOf(dissector: string): NameWatch {
    const begin = (event: number, { kind, id }: NamedThing) => {
      this.begin(event);
      this.addText(dissector);
      this.addThing(kind, id);
    };
    let maker: readonly [NamedThing | undefined, Learning] | undefined;
    return {
      set: (thing, name, { isProvisional }) => {
        begin(Event.Name, thing);
        this.add(isProvisional ? 1 : 0);
        this.addText(name);
      },
      calledAfter: (thing, other, { isProvisional, before = "" }) => {
        begin(Event.CalledAfter, thing);
        this.add(isProvisional ? 1 : 0);
        this.addThing(other.kind, other.id);
        this.addText(before);
      },
      making: (thing, learning) => {
        maker = [thing, learning];
      },
      asked: (thing, name) => {
        const [made, { isProvisional } = { isProvisional: false }] = maker ?? [];
        begin(Event.Asked, thing);
        this.addText(name);
        this.addThing(made?.kind, made?.id);
        this.add(isProvisional ? 1 : 0);
      },
      forgotten: () => this.order.overdue(),
    };
  }

  /** Adds a message to those that stand where it does. */
  protected addMessage({ origin }: Message, counts: boolean): void {
    const { frameOrder } = this.order;
    const isMore = frameOrder === this.#frameOrder && (origin.frame === this.#frame || !counts);
    if (!isMore) {
      this.#endMessages();
      this.#frameOrder = frameOrder;
      this.#frame = origin.frame;
      this.#seconds = origin.seconds;
      this.#nanoseconds = origin.nanoseconds;
    }
    this.#messages++;
    if (counts) this.#counted++;
  }

  #endMessages(): void {
    if (this.#messages > 0) {
      this.#row(Event.Messages, this.#frameOrder);
      this.add(this.#messages);
      this.add(this.#counted);
      this.add(this.#frame);
      this.add(this.#seconds);
      this.add(this.#nanoseconds);
    }
    this.#frameOrder = -1;
    this.#messages = 0;
    this.#counted = 0;
  }

  /** Begins an event that is none of messages, after the messages so far. */
  protected begin(event: number): void {
    this.#endMessages();
    this.#row(event, this.order.frameOrder);
  }

  #row(event: number, frameOrder: FrameOrder): void {
    // More may come that stands there.
    if (this.#length > MOST_NUMBERS - MOST_IN_EVENT) this.#endTrace(frameOrder - 1);
    this.add(event);
    this.add(frameOrder);
  }

  protected addThing(kind: string | undefined, id: string | undefined): void {
    this.addText(kind);
    this.addText(id);
  }

  protected add(number: number): void {
    this.#numbers[this.#length++] = number;
  }

  protected addText(text: string | undefined): void {
    if (text === undefined) {
      this.add(NONE);
      return;
    }
    let index = this.#texts.get(text);
    if (index === undefined) {
      index = this.#texts.size;
      this.#texts.set(text, index);
      this.#newTexts.push(text);
    }
    this.add(index);
  }
}

function numbersIn(memory: ArrayBufferLike | undefined): Float64Array {
  return new Float64Array(memory ?? new SharedArrayBuffer(TRACE_BYTES));
}
