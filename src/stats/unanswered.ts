import type { Answer } from "../schema/circumstances.js";

/** Requests of which the numbers are kept until they are answered: a player's vault has some thousand nodes. */
const MOST_OPEN = 8192;

/** Numbers of requests that are told. */
const MOST_TOLD = 5;

/** Requests of one kind that are still without a reply. */
export class Unanswered {
  readonly #open = new Set<number>();
  /** How many there are whose numbers are not kept. */
  #others = 0;

  /** @param number of the request */
  asked(number: number): void {
    if (this.#open.size < MOST_OPEN) this.#open.add(number);
    else this.#others++;
  }

  /** It has been answered, or that will not be known. A dissector may tell it of a message that did not ask. */
  settled({ number }: Pick<Answer, "number">): void {
    if (!this.#open.delete(number) && this.#others > 0) this.#others--;
  }

  /** How many. */
  get count(): number {
    return this.#open.size + this.#others;
  }

  /** Their numbers, or those of the first few. */
  get numbers(): number[] {
    return [...this.#open].sort((a, b) => a - b).slice(0, MOST_TOLD);
  }
}
