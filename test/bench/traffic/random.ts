import { Random as Choices } from "../../support/random.js";

/** Random numbers that are the same in every run. */
export class Random extends Choices {
  /** A number from `least` up to `most`. */
  between(least: number, most: number): number {
    return least + this.fraction() * (most - least);
  }

  /** Bytes, each value as likely as any other. */
  override bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.fraction() * 2 ** 32);
  }
}
