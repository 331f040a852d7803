import type { Answer } from "../schema/circumstances.js";

/** Most requests whose numbers are kept until they are answered: a player's vault has some thousands of nodes. */
const MOST_OPEN = 8192;

/** Most numbers of requests that are reported. */
const MOST_LISTED = 5;

/** Requests of one kind that are still without a reply. */
export class Unanswered {
  readonly #open = new Set<number>();
  /** How many more there are, whose numbers are not kept. */
  #others = 0;

  /** @param number of the request */
  asked(number: number): void {
    if (this.#open.size < MOST_OPEN) this.#open.add(number);
    else this.#others++;
  }

  /** A request was answered, or it will never be known whether it was. The message may never have been a request. */
  settled({ number }: Pick<Answer, "number">): void {
    if (!this.#open.delete(number) && this.#others > 0) this.#others--;
  }

  get count(): number {
    return this.#open.size + this.#others;
  }

  /** The numbers of the first few. */
  get numbers(): number[] {
    return [...this.#open].sort((a, b) => a - b).slice(0, MOST_LISTED);
  }
}
