/** Key of what did not find a place of its own. */
export const OTHERS = "(others)";

/** Makes a value for each key it is asked for; when there are too many, all further ones share one. */
export class BoundedMap<V> {
  readonly #values = new Map<string, V>();

  constructor(
    readonly make: () => V,
    readonly most: number,
  ) {}

  /** @param others key that is shared by what does not find a place of its own. */
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
