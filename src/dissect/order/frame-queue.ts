/** What can stand in a `FrameQueue`; the queue keeps both properties. */
export interface Queued {
  /** Number of the frame by which it is queued. */
  frame: number;
  /** Where it stands in the queue; negative if it does not. */
  place: number;
}

/** A queue from which the item with the lowest frame number is taken first: a binary heap. */
export class FrameQueue<Item extends Queued> {
  readonly #heap: Item[] = [];

  /** The item with the lowest frame number. */
  get first(): Item | undefined {
    return this.#heap[0];
  }

  /** Adds an item, or moves it to where it belongs with another frame number. */
  put(item: Item, frame: number): void {
    if (item.place < 0) item.place = this.#heap.length;
    item.frame = frame;
    this.#rise(item);
    this.#sink(item);
  }

  /** Takes an item out, if it is in the queue. */
  remove(item: Item): void {
    const { place } = item;
    if (place < 0) return;
    item.place = -1;
    const last = this.#heap.pop();
    if (last === undefined || last === item) return;
    last.place = place;
    this.#rise(last);
    this.#sink(last);
  }

  /** Moves an item up to where no one above it comes after it. */
  #rise(item: Item): void {
    let { place } = item;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.#heap[above];
      if (parent === undefined || parent.frame <= item.frame) break;
      this.#set(parent, place);
      place = above;
    }
    this.#set(item, place);
  }

  /** Moves an item down to where no one below it comes before it. */
  #sink(item: Item): void {
    let { place } = item;
    for (;;) {
      const left = this.#heap[2 * place + 1];
      const right = this.#heap[2 * place + 2];
      const child = right !== undefined && left !== undefined && right.frame < left.frame ? right : left;
      if (child === undefined || child.frame >= item.frame) break;
      const below = child.place;
      this.#set(child, place);
      place = below;
    }
    this.#set(item, place);
  }

  #set(item: Item, place: number): void {
    this.#heap[place] = item;
    item.place = place;
  }
}
