import type { Example } from "./finding.js";

/** Most different examples that are told apart; the rest are only counted. */
const MOST_TEXTS = 50;
/** Most examples in a finding: more would bury the next one. */
const MOST_EXAMPLES = 3;
/** Most messages that are known by their numbers: a longer filter could not be read, nor copied. */
export const MOST_NUMBERS = 40;

/** Messages of which the same is to be said. */
export class Group {
  count = 0;
  bytes = 0;
  readonly #numbers: number[] = [];
  readonly #texts = new Map<string, { readonly number: number; count: number }>();

  add(number: number, text: string, bytes = 0): void {
    this.count++;
    this.bytes += bytes;
    if (this.#numbers.length < MOST_NUMBERS) this.#numbers.push(number);
    const known = this.#texts.get(text);
    if (known !== undefined) known.count++;
    else if (this.#texts.size < MOST_TEXTS) this.#texts.set(text, { number, count: 1 });
  }

  /** The numbers of the first ones, in ascending order. */
  get numbers(): readonly number[] {
    return this.#numbers.toSorted((a, b) => a - b);
  }

  get examples(): readonly Example[] {
    return [...this.#texts]
      .map(([text, { number, count }]) => ({ number, text, count }))
      .sort((a, b) => b.count - a.count || a.number - b.number)
      .slice(0, MOST_EXAMPLES);
  }
}
