import type { Answer, MessageContext, Referent } from "../schema/language/message-context.js";
import { Rows } from "./rows.js";
import { Texts } from "./texts.js";

/** What messages have in common with many others. */
type SharedContext = Omit<MessageContext, "answers" | "forgets">;

/** The columns of an answer: the request's number, its name, and the flags below; then the milliseconds. */
const NUMBER = 0;
const NAME = 1;
const FLAGS = 2;
const MILLISECONDS = 0;

const IS_FIRST = 1;
const IS_PING = 2;

/** Keeps the contexts of messages: what many have in common once, and of an answer a few numbers. */
export class Contexts {
  readonly #shared: SharedContext[] = [];
  readonly #indices = new Map<string, number>();
  readonly #answers = new Rows(3, 1);
  readonly #names = new Texts();
  /** The one that was asked for last: the next message often has the same. */
  #last: SharedContext | undefined;
  #lastIndex = 0;

  /** The number of a context without what it answers; 0 for none. */
  shared(context: MessageContext | undefined): number {
    if (context === undefined) return 0;
    if (this.#last !== undefined && isAlike(this.#last, context)) return this.#lastIndex;
    const { player, place, asks, error } = context;
    const copy = { player: player && { ...player }, place: place && { ...place }, asks, error };
    const key = JSON.stringify(copy);
    let index = this.#indices.get(key);
    if (index === undefined) {
      index = this.#shared.push(copy);
      this.#indices.set(key, index);
    }
    this.#last = copy;
    this.#lastIndex = index;
    return index;
  }

  /** The number of an answer; 0 for none. */
  answer(answer: Answer | undefined): number {
    if (answer === undefined) return 0;
    const row = this.#answers.add();
    this.#answers.set(row, NUMBER, answer.number);
    this.#answers.set(row, NAME, this.#names.numberOf(answer.name));
    this.#answers.set(row, FLAGS, (answer.isFirst ? IS_FIRST : 0) | (answer.isPing ? IS_PING : 0));
    this.#answers.setDouble(row, MILLISECONDS, answer.milliseconds ?? Number.NaN);
    return row + 1;
  }

  /** The context of these two numbers. */
  at(shared: number, answer: number): MessageContext | undefined {
    if (shared === 0) return undefined;
    const context = this.#shared[shared - 1];
    return answer === 0 ? context : { ...context, answers: this.#answerAt(answer - 1) };
  }

  #answerAt(row: number): Answer {
    const flags = this.#answers.get(row, FLAGS);
    const milliseconds = this.#answers.getDouble(row, MILLISECONDS);
    return {
      number: this.#answers.get(row, NUMBER),
      name: this.#names.at(this.#answers.get(row, NAME)),
      milliseconds: Number.isNaN(milliseconds) ? undefined : milliseconds,
      isFirst: (flags & IS_FIRST) !== 0,
      isPing: (flags & IS_PING) !== 0,
    };
  }
}

function isAlike(one: SharedContext, other: MessageContext): boolean {
  return (
    one.asks === other.asks &&
    one.error === other.error &&
    isSame(one.player, other.player) &&
    isSame(one.place, other.place)
  );
}

function isSame(one: Referent | undefined, other: Referent | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.id === other.id && one.kind === other.kind && one.idTitle === other.idTitle;
}
