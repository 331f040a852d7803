import type { Message } from "../dissect/message.js";
import type { AnsweredBy } from "../schema/language/message-context.js";

/** Which message answers which, from a first pass over captures: a second one then knows it of requests, too. */
export class AnswerBook {
  readonly #answers = new Map<number, AnsweredBy>();

  /** Must be called with all messages of the first pass. */
  see({ number, name, nodes }: Message): void {
    const { answers } = nodes?.context ?? {};
    if (answers?.isFirst !== true) return;
    this.#answers.set(answers.number, { number, name, milliseconds: answers.milliseconds });
  }

  /** The first part of the answer to the message of a number, if there is one. */
  readonly answeredBy = (number: number): AnsweredBy | undefined => this.#answers.get(number);
}
