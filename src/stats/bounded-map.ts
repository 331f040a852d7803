/** Key shared by all keys that got no value of their own. */
export const OTHERS = "(others)";

/** Makes a value for each key it is asked for; once there are too many, all further keys share one value. */
export class BoundedMap<V> {
  readonly #values = new Map<string, V>();

  constructor(
    readonly make: (key: string) => V,
    readonly most: number,
  ) {}

  /** @param others the key to use if `key` gets no value of its own */
  of(key: string, others = OTHERS): V {
    const known = this.#values.get(key) ?? (this.#values.size < this.most ? undefined : this.#values.get(others));
    if (known !== undefined) return known;
    const used = this.#values.size < this.most ? key : others;
    const value = this.make(used);
    this.#values.set(used, value);
    return value;
  }

  /** True if there is no room for a value of a further key. */
  get isFull(): boolean {
    return this.#values.size >= this.most;
  }

  entries(): [string, V][] {
    return [...this.#values];
  }
}
