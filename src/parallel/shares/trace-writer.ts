import type { Message } from "../../dissect/message.js";
import type { OrderWatch } from "../../dissect/order/order-watch.js";
import type { Limits } from "../../limits.js";
import type { MessageContext } from "../../schema/language/message-context.js";
import type { Learning, NamedThing, NameWatch } from "../../session/name-book.js";
import { type PartyList, Tally } from "../../stats/index.js";
import { Event, Flag, MOST_IN_EVENT, MOST_NUMBERS, NONE, type Trace } from "./trace.js";

const LISTS: Readonly<Record<PartyList, number>> = { players: 0, ages: 1 };

/** Writes down what a thread has found out of its share of the conversations, for the thread that sums it up. */
export class TraceWriter {
  #numbers = numbersIn(undefined);
  #length = 0;
  readonly #texts = new Map<string, number>();
  #newTexts: string[] = [];
  readonly #tally: Tally;
  readonly #spare: SharedArrayBuffer[] = [];
  /** The messages that the last packet has completed: where they stand, and how many there are. */
  #place = -1;
  #messages = 0;
  #counted = 0;
  #frame = 0;
  #seconds = 0;
  #nanoseconds = 0;

  /**
   * @param order where messages stand
   * @param full called with each trace
   */
  constructor(
    readonly order: OrderWatch,
    limits: Pick<Limits, "countedKeys">,
    readonly full: (trace: Trace) => void,
  ) {
    this.#tally = new Tally(limits, {
      newType: (key) => {
        this.#begin(Event.Type);
        this.#addText(key);
      },
      party: (list) => ({
        place: () => order.place,
        newParty: (key, { kind, id }, protocol, scope) => {
          this.#begin(Event.Party);
          this.#add(LISTS[list]);
          this.#addText(key);
          this.#addText(protocol.split(".", 1)[0]);
          this.#addText(scope);
          this.#addThing(kind, id);
        },
      }),
    });
  }

  /** Takes back the memory of a trace that nobody reads any more. */
  give(memory: SharedArrayBuffer): void {
    this.#spare.push(memory);
  }

  /** Hands over what has been written, between blocks of input. */
  flush(): void {
    this.#endMessages();
    this.#handOver(this.order.frontier);
  }

  #handOver(frontier: number): void {
    const { order } = this;
    const { held } = order;
    this.full({
      memory: this.#numbers.buffer,
      length: this.#length,
      texts: this.#newTexts,
      sums: this.#tally.takeSums(),
      frontier,
      held: { ...held },
    });
    this.#newTexts = [];
    this.#numbers = numbersIn(this.#spare.pop());
    this.#length = 0;
  }

  /** Writes what has to be known of a message. @param counts false if it only has a number */
  message(message: Message, counts: boolean): void {
    const { origin, nodes } = message;
    if (counts) this.#tally.add(message);
    const { place } = this.order;
    const isMore = place === this.#place && (origin.frame === this.#frame || !counts);
    if (!isMore) this.#beginMessages(place, message);
    this.#messages++;
    if (!counts) return;
    this.#counted++;
    const context = nodes?.context;
    if (context === undefined) return;
    const { answers, asks, forgets, error } = context;
    const answer = answers?.isFirst === true ? answers : undefined;
    if (answer !== undefined || asks || forgets !== undefined || error !== undefined) {
      this.#exchange(message, { answers: answer, asks, forgets, error });
    }
  }

  #exchange({ protocol, name, length }: Message, { answers, asks, forgets, error }: MessageContext): void {
    this.#begin(Event.Exchange);
    const flags = (asks ? Flag.Asks : 0) | (answers ? Flag.Answers : 0) | (forgets ? Flag.Forgets : 0);
    this.#add(flags);
    this.#addText(protocol);
    this.#addText(name);
    this.#add(length);
    this.#addText(error);
    if (asks) this.#addText(asks === true ? undefined : asks);
    if (answers !== undefined) {
      this.#add(answers.number);
      this.#addText(answers.name);
      this.#add(answers.milliseconds ?? Number.NaN);
      this.#add(answers.isPing ? 1 : 0);
    }
    if (forgets !== undefined) {
      this.#add(forgets.number);
      this.#addText(forgets.name);
    }
  }

  /** Follows the names of a dissector. */
  namesOf(dissector: string): NameWatch {
    const begin = (event: number, { kind, id }: NamedThing) => {
      this.#begin(event);
      this.#addText(dissector);
      this.#addThing(kind, id);
    };
    let maker: readonly [NamedThing | undefined, Learning] | undefined;
    return {
      set: (thing, name, { isProvisional }) => {
        begin(Event.Name, thing);
        this.#add(isProvisional ? 1 : 0);
        this.#addText(name);
      },
      calledAfter: (thing, other, { isProvisional, before = "" }) => {
        begin(Event.CalledAfter, thing);
        this.#add(isProvisional ? 1 : 0);
        this.#addThing(other.kind, other.id);
        this.#addText(before);
      },
      making: (thing, learning) => {
        maker = [thing, learning];
      },
      asked: (thing, name) => {
        const [made, { isProvisional } = { isProvisional: false }] = maker ?? [];
        begin(Event.Asked, thing);
        this.#addText(name);
        this.#addThing(made?.kind, made?.id);
        this.#add(isProvisional ? 1 : 0);
      },
      forgotten: () => this.order.overdue(),
    };
  }

  #beginMessages(place: number, { origin }: Message): void {
    this.#endMessages();
    this.#place = place;
    this.#frame = origin.frame;
    this.#seconds = origin.seconds;
    this.#nanoseconds = origin.nanoseconds;
  }

  #endMessages(): void {
    if (this.#messages > 0) {
      this.#row(Event.Messages, this.#place);
      this.#add(this.#messages);
      this.#add(this.#counted);
      this.#add(this.#frame);
      this.#add(this.#seconds);
      this.#add(this.#nanoseconds);
    }
    this.#place = -1;
    this.#messages = 0;
    this.#counted = 0;
  }

  /** Begins an event that is none of messages, after the messages so far. */
  #begin(event: number): void {
    this.#endMessages();
    this.#row(event, this.order.place);
  }

  #row(event: number, place: number): void {
    // More may come at the same place.
    if (this.#length > MOST_NUMBERS - MOST_IN_EVENT) this.#handOver(place - 1);
    this.#add(event);
    this.#add(place);
  }

  #addThing(kind: string | undefined, id: string | undefined): void {
    this.#addText(kind);
    this.#addText(id);
  }

  #add(number: number): void {
    this.#numbers[this.#length++] = number;
  }

  #addText(text: string | undefined): void {
    if (text === undefined) {
      this.#add(NONE);
      return;
    }
    let index = this.#texts.get(text);
    if (index === undefined) {
      index = this.#texts.size;
      this.#texts.set(text, index);
      this.#newTexts.push(text);
    }
    this.#add(index);
  }
}

function numbersIn(memory: SharedArrayBuffer | undefined): Float64Array<SharedArrayBuffer> {
  return new Float64Array(memory ?? new SharedArrayBuffer(MOST_NUMBERS * Float64Array.BYTES_PER_ELEMENT));
}
