/** The most conversations that a remark names one by one. */
export const MOST_NAMED = 12;

/** Counts conversations for a remark, and keeps the lowest of their numbers: there may be any number of them. */
export class NamedStreams {
  #lowest: number[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Must be called once for each conversation. */
  add(stream: number): void {
    this.#count++;
    this.#lowest = [...this.#lowest, stream].sort((a, b) => a - b).slice(0, MOST_NAMED);
  }

  /** The numbers for a remark: "stream 3", "streams 1, 3 and 7 more". */
  get text(): string {
    const more = this.#count > MOST_NAMED ? ` and ${this.#count - MOST_NAMED} more` : "";
    return `stream${this.#count === 1 ? "" : "s"} ${this.#lowest.join(", ")}${more}`;
  }
}
