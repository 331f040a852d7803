/** TCP payload that is in no stream: its receiver cannot have accepted it. */
export interface Unaccepted {
  readonly bytes: number;
  /** Bytes by conversation; of many, those of the first ones. */
  readonly streams: ReadonlyMap<number, number>;
}

/** Conversations that are listed; more say nothing new. */
const MOST_LISTED = 100;

/** Adds up what was not accepted, by conversation. */
export class UnacceptedCount implements Unaccepted {
  #bytes = 0;
  readonly #streams = new Map<number, number>();

  get bytes(): number {
    return this.#bytes;
  }

  get streams(): ReadonlyMap<number, number> {
    return this.#streams;
  }

  add(stream: number, bytes: number): void {
    if (bytes === 0) return;
    this.#bytes += bytes;
    const before = this.#streams.get(stream);
    if (before !== undefined || this.#streams.size < MOST_LISTED) this.#streams.set(stream, (before ?? 0) + bytes);
  }
}
