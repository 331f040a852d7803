import type { Answer } from "../schema/circumstances.js";

/** Requests of which the numbers are kept until they are answered; there are seldom more than some dozen. */
const MOST_OPEN = 1000;

/** Numbers of requests that are told. */
const MOST_TOLD = 5;

/** Requests of one kind that are still without a reply. */
export class Unanswered {
  /** How many. */
  count = 0;
  readonly #open = new Set<number>();

  /** @param number of the request */
  asked(number: number): void {
    this.count++;
    if (this.#open.size < MOST_OPEN) this.#open.add(number);
  }

  /** It has been answered, or that will not be known. */
  settled({ number }: Pick<Answer, "number">): void {
    this.count--;
    this.#open.delete(number);
  }

  /** Their numbers, or those of the first few. */
  get numbers(): number[] {
    return [...this.#open].sort((a, b) => a - b).slice(0, MOST_TOLD);
  }
}
