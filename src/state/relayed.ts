/** Most things whose copies are recognised. */
const MOST_REMEMBERED = 10_000;

interface Copies {
  /** How many times it was taken for something new. */
  told: number;
  /** How many times it was seen on each way: to the server, or to one of those who are told. */
  readonly seen: Map<string, number>;
}

/**
 * Tells copies that a server relays from what is said again: on each way, everything comes once. Times do not help, as
 * some servers relay with their own.
 */
export class Relayed {
  readonly #known = new Map<string, Copies>();

  /**
   * True for what is new.
   *
   * @param key the same for the original and all copies
   * @param way on which it came
   */
  isNew(key: string, way: string): boolean {
    let copies = this.#known.get(key);
    if (copies === undefined) {
      copies = { told: 0, seen: new Map() };
      const [oldest] = this.#known.keys();
      if (this.#known.size >= MOST_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
      this.#known.set(key, copies);
    }
    const count = (copies.seen.get(way) ?? 0) + 1;
    copies.seen.set(way, count);
    if (count <= copies.told) return false;
    copies.told = count;
    return true;
  }
}
