import type { Limits } from "../limits.js";
import type { Origin } from "../network/conversation.js";
import { Fifo } from "../session/stream/fifo.js";

/** Estimated cost in bytes of a place, besides the bytes of its packet. */
const PLACE_BYTES = 256;

/** The place of a packet in the order of writing. */
export interface Place {
  readonly origin: Origin;
  /** Its number, in the order of the capture. */
  readonly number: number;
  /** Its estimated cost in bytes. */
  readonly cost: number;
  /** What to write there: a packet, perhaps with a gap before it, or others that were held back until it came. */
  readonly writes: (() => void)[];
  /** How many of these are not settled yet. */
  unsettled: number;
  /** True if the others no longer wait for it. */
  isLate: boolean;
  isWritten: boolean;
}

/** The places of packets in the order of the capture, into which they are written once they are settled. */
export class PlaceQueue {
  readonly #limits: Pick<Limits, "orderBytes" | "orderSeconds">;
  /** Places in the order of the capture. */
  readonly #places = new Fifo<Place>();
  #count = 0;
  #waiting = 0;
  #late = 0;

  constructor(limits: Pick<Limits, "orderBytes" | "orderSeconds">) {
    this.#limits = limits;
  }

  /** Number of packets that the others waited for in vain, and that were written later. */
  get late(): number {
    return this.#late;
  }

  /** Adds a place at the end, for something that is not settled. */
  append(length: number, origin: Origin): Place {
    const cost = length + PLACE_BYTES;
    const place: Place = {
      origin,
      number: this.#count++,
      cost,
      writes: [],
      unsettled: 1,
      isLate: false,
      isWritten: false,
    };
    this.#places.push(place);
    this.#waiting += cost;
    this.#goOn(origin);
    return place;
  }

  /** Notes that the bytes that a place was kept for have come in order. */
  came(place: Place): void {
    if (place.isLate) this.#late++;
    this.settle(place);
  }

  /** Counts one thing less that a place waits for, and writes what is ready. */
  settle(place: Place): void {
    place.unsettled--;
    this.#writeReady();
  }

  /** Stops waiting for places: nothing more comes into them. */
  release(places: readonly Place[]): void {
    for (const place of places) place.unsettled = 0;
    this.#writeReady();
  }

  /** True if what comes into the place can be written at once, so that it need not be copied. */
  isNext(place: Place | undefined): boolean {
    return place === undefined || place.isLate || (place === this.#places.first && place.unsettled === 1);
  }

  /** Writes what comes into a place, at once or when it is the turn of the place. */
  fill(place: Place | undefined, write: () => void): void {
    if (place?.isLate) this.#late++;
    if (place === undefined || place.isLate) write();
    else place.writes.push(write);
    if (place !== undefined) this.settle(place);
  }

  /** Moves on past places that the others have waited for long enough. */
  #goOn({ seconds }: Origin): void {
    const { orderBytes, orderSeconds } = this.#limits;
    for (let place = this.#places.first; place !== undefined; place = this.#places.first) {
      if (this.#waiting <= orderBytes && seconds - place.origin.seconds <= orderSeconds) return;
      place.isLate = true;
      this.#writeFirst();
      this.#writeReady();
    }
  }

  #writeReady(): void {
    while (this.#places.first?.unsettled === 0) this.#writeFirst();
  }

  /** Writes what has come into the first place, and moves on to the next one. */
  #writeFirst(): void {
    const place = this.#places.take();
    if (place === undefined) return;
    this.#waiting -= place.cost;
    place.isWritten = true;
    for (const write of place.writes.splice(0)) write();
  }
}
