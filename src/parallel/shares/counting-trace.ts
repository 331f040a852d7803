import type { Message } from "../../dissect/message.js";
import type { OrderWatch } from "../../dissect/order/order-watch.js";
import type { Limits } from "../../limits.js";
import type { MessageContext } from "../../schema/language/message-context.js";
import { type PartyList, Tally, type TallySums } from "../../stats/index.js";
import { Event, Flag, type Trace } from "./trace.js";
import { TraceWriter } from "./trace-writer.js";

const LISTS: Readonly<Record<PartyList, number>> = { players: 0, ages: 1 };

/** What a thread counts of its share of the conversations. */
export class CountingTrace extends TraceWriter<TallySums> {
  readonly #tally: Tally;

  constructor(order: OrderWatch, limits: Pick<Limits, "countedKeys">, full: (trace: Trace<TallySums>) => void) {
    super(order, full);
    this.#tally = new Tally(limits, {
      newType: (key) => {
        this.begin(Event.Type);
        this.addText(key);
      },
      party: (list) => ({
        frameOrder: () => order.frameOrder,
        newParty: (key, { kind, id }, protocol, scope) => {
          this.begin(Event.Party);
          this.add(LISTS[list]);
          this.addText(key);
          this.addText(protocol.split(".", 1)[0]);
          this.addText(scope);
          this.addThing(kind, id);
        },
      }),
    });
  }

  override message(message: Message, passes: boolean): void {
    if (passes) this.#tally.add(message);
    this.addMessage(message, passes);
    const context = message.nodes?.context;
    if (!passes || context === undefined) return;
    const { answers, asks, forgets, error } = context;
    const answer = answers?.isFirst === true ? answers : undefined;
    if (answer !== undefined || asks || forgets !== undefined || error !== undefined) {
      this.#exchange(message, { answers: answer, asks, forgets, error });
    }
  }

  protected override takeContent(): TallySums {
    return this.#tally.takeSums();
  }

  #exchange({ protocol, name, length }: Message, { answers, asks, forgets, error }: MessageContext): void {
    this.begin(Event.Exchange);
    const flags = (asks ? Flag.Asks : 0) | (answers ? Flag.Answers : 0) | (forgets ? Flag.Forgets : 0);
    this.add(flags);
    this.addText(protocol);
    this.addText(name);
    this.add(length);
    this.addText(error);
    if (asks) this.addText(asks === true ? undefined : asks);
    if (answers !== undefined) {
      this.add(answers.number);
      this.addText(answers.name);
      this.add(answers.milliseconds ?? Number.NaN);
      this.add(answers.isPing ? 1 : 0);
    }
    if (forgets !== undefined) {
      this.add(forgets.number);
      this.addText(forgets.name);
    }
  }
}
