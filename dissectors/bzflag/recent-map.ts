/** A map that remembers the latest entries; the oldest one makes room. What is set again is not old. */
export class RecentMap<V> {
  readonly #values = new Map<string, V>();

  constructor(readonly most: number) {}

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: V): void {
    this.#values.delete(key);
    if (this.#values.size >= this.most) {
      const [oldest] = this.#values.keys();
      if (oldest !== undefined) this.#values.delete(oldest);
    }
    this.#values.set(key, value);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }
}
