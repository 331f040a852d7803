import type { FrameOrder } from "../../network/frame-order.js";

/** What can stand in a `FrameQueue`; the queue keeps both properties. */
export interface Queued {
  /** By which it is queued. */
  frameOrder: FrameOrder;
  /** Its index in the heap of the queue; negative if it is not in the queue. */
  heapIndex: number;
}

/** A queue from which the item that is first in the order of frames is taken first: a binary heap. */
export class FrameQueue<Item extends Queued> {
  readonly #heap: Item[] = [];

  /** The item that is first in the order of frames. */
  get first(): Item | undefined {
    return this.#heap[0];
  }

  /** Adds an item, or moves it to where it belongs with another frame order. */
  put(item: Item, frameOrder: FrameOrder): void {
    if (item.heapIndex < 0) item.heapIndex = this.#heap.length;
    item.frameOrder = frameOrder;
    this.#rise(item);
    this.#sink(item);
  }

  /** Takes an item out, if it is in the queue. */
  remove(item: Item): void {
    const { heapIndex } = item;
    if (heapIndex < 0) return;
    item.heapIndex = -1;
    const last = this.#heap.pop();
    if (last === undefined || last === item) return;
    last.heapIndex = heapIndex;
    this.#rise(last);
    this.#sink(last);
  }

  /** Moves an item up to where no one above it comes after it. */
  #rise(item: Item): void {
    let { heapIndex } = item;
    while (heapIndex > 0) {
      const above = (heapIndex - 1) >> 1;
      const parent = this.#heap[above];
      if (parent === undefined || parent.frameOrder <= item.frameOrder) break;
      this.#set(parent, heapIndex);
      heapIndex = above;
    }
    this.#set(item, heapIndex);
  }

  /** Moves an item down to where no one below it comes before it. */
  #sink(item: Item): void {
    let { heapIndex } = item;
    for (;;) {
      const left = this.#heap[2 * heapIndex + 1];
      const right = this.#heap[2 * heapIndex + 2];
      const child = right !== undefined && left !== undefined && right.frameOrder < left.frameOrder ? right : left;
      if (child === undefined || child.frameOrder >= item.frameOrder) break;
      const below = child.heapIndex;
      this.#set(child, heapIndex);
      heapIndex = below;
    }
    this.#set(item, heapIndex);
  }

  #set(item: Item, heapIndex: number): void {
    this.#heap[heapIndex] = item;
    item.heapIndex = heapIndex;
  }
}
