/** Key shared by all keys that got no value of their own. */
export const OTHERS = "(others)";

/** Makes a value for each key it is asked for; once there are too many, all further keys share one value. */
export class BoundedMap<V> {
  readonly #values = new Map<string, V>();

  constructor(
    readonly make: () => V,
    readonly most: number,
  ) {}

  /** @param others the key to use if `key` gets no value of its own */
  of(key: string, others = OTHERS): V {
    const known = this.#values.get(key) ?? (this.#values.size < this.most ? undefined : this.#values.get(others));
    if (known !== undefined) return known;
    const value = this.make();
    this.#values.set(this.#values.size < this.most ? key : others, value);
    return value;
  }

  entries(): [string, V][] {
    return [...this.#values];
  }
}
