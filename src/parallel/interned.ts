import type { InternedUpdate } from "./batch.js";

/** The most things that are remembered from batch to batch. */
const MOST_KEPT = 1024;

/** Interned things, of which many messages have the same: each is sent to the other thread once, and then referred to. */
export class Interned<Thing> {
  readonly #indices = new Map<unknown, number>();
  #kept = 0;
  #more: Thing[] = [];

  /** Starts a batch. */
  begin(): void {
    this.#kept += this.#more.length;
    this.#more = [];
    if (this.#kept <= MOST_KEPT) return;
    this.#indices.clear();
    this.#kept = 0;
  }

  /** The index of a thing that is found by this key; undefined if it is new. */
  find(key: unknown): number | undefined {
    return this.#indices.get(key);
  }

  /** Adds a thing, in place of the one that is found by the same key. @returns its index */
  add(key: unknown, thing: Thing): number {
    const index = this.#kept + this.#more.push(thing) - 1;
    this.#indices.set(key, index);
    return index;
  }

  /** What the other thread has to know for this batch. */
  get update(): InternedUpdate<Thing> {
    return { kept: this.#kept, more: this.#more };
  }
}
