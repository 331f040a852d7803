/** Texts of which there are few: each has a number. */
export class Texts {
  readonly #texts: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** The number of a text, which is kept. */
  numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }

  /** The text of a number; empty if there is none. */
  at(number: number): string {
    return this.#texts[number] ?? "";
  }
}
