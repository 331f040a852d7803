import type { Message } from "../../dissect/message.js";
import type { MessageStore } from "../../store/message-store.js";
import type { Shown } from "../session-api.js";
import { Breathing } from "./breathe.js";
import { GrowingNumbers } from "./growing-numbers.js";

type Passes = (message: Message) => boolean;

/** The messages of the store that pass a filter, in order. */
export class ShownList {
  /** Indices in the store; undefined while everything is shown. */
  #indices: GrowingNumbers | undefined;
  #passes: Passes | undefined;
  #lookedAt = 0;
  /** Number of the current filter: a newer one ends the work on an older one. */
  #generation = 0;

  constructor(readonly store: MessageStore) {}

  get count(): number {
    return this.#indices?.length ?? this.store.count;
  }

  get shown(): Shown {
    const lookedAt = this.#indices === undefined ? this.store.count : this.#lookedAt;
    return { generation: this.#generation, count: this.count, lookedAt };
  }

  get isFiltered(): boolean {
    return this.#indices !== undefined;
  }

  /** Another number after each filter. */
  get generation(): number {
    return this.#generation;
  }

  /** Index in the store of what is at a place. */
  indexAt(place: number): number {
    return this.#indices?.get(place) ?? place;
  }

  /** The place of a message, or of the first one after it that is shown. */
  placeOf(index: number): number {
    return this.#indices?.firstFrom(index) ?? Math.min(index, this.store.count);
  }

  /**
   * Shows everything, or what passes; looks at all that is there, and tells of its progress.
   *
   * @returns false if another filter has taken its place before that
   */
  async filter(passes: Passes | undefined, onShown: (shown: Shown) => void): Promise<boolean> {
    this.#generation++;
    this.#passes = passes;
    this.#indices = passes === undefined ? undefined : new GrowingNumbers();
    this.#lookedAt = 0;
    return this.catchUp(onShown);
  }

  /** Looks at the messages that have come since; false if another filter has taken the place of the one there was. */
  async catchUp(onShown: (shown: Shown) => void): Promise<boolean> {
    const generation = this.#generation;
    const passes = this.#passes;
    const indices = this.#indices;
    if (passes === undefined || indices === undefined) {
      onShown(this.shown);
      return true;
    }
    const breathing = new Breathing();
    while (this.#lookedAt < this.store.count) {
      const index = this.#lookedAt++;
      if (passes(this.store.at(index))) indices.push(index);
      if (!breathing.isDue) continue;
      onShown(this.shown);
      await breathing.breathe();
      if (generation !== this.#generation) return false;
    }
    onShown(this.shown);
    return true;
  }
}
