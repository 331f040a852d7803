const FEWEST = 16;

/**
 * Where ranges of streams are in a ring of bytes, numbered from 0 as they came: at most as many as the ring has
 * bytes. All streams share a few arrays of numbers, so that nothing is allocated per packet, and hardly anything per
 * stream.
 */
export class RecentRanges {
  /** Number of the oldest known range, and of the next one. */
  #oldest = 0;
  #next = 0;
  // The low bits of a range's number are its index in the arrays, whose length is a power of two.
  #sequences = new Int32Array(FEWEST);
  #places = new Float64Array(FEWEST);
  #lengths = new Int32Array(FEWEST);
  #befores = new Float64Array(FEWEST);

  /** Whether a range has not been forgotten. */
  knows(range: number): boolean {
    return range >= this.#oldest;
  }

  isNewest(range: number): boolean {
    return range === this.#next - 1;
  }

  /** Sequence number of the first byte, signed. */
  sequence(range: number): number {
    return this.#sequences[this.#at(range)] ?? 0;
  }

  /** Place of the first byte, counted from the first one ever put into the ring. */
  place(range: number): number {
    return this.#places[this.#at(range)] ?? 0;
  }

  length(range: number): number {
    return this.#lengths[this.#at(range)] ?? 0;
  }

  /** The previous range of its stream; -1 if there was none. */
  before(range: number): number {
    return this.#befores[this.#at(range)] ?? 0;
  }

  /** Adds a range; returns its number. */
  add(sequence: number, place: number, length: number, before: number): number {
    const range = this.#next++;
    if (this.#next - this.#oldest > this.#places.length) this.#grow();
    this.change(range, sequence, place, length);
    this.#befores[this.#at(range)] = before;
    return range;
  }

  /** Changes where a range begins and ends. */
  change(range: number, sequence: number, place: number, length: number): void {
    const at = this.#at(range);
    this.#sequences[at] = sequence;
    this.#places[at] = place;
    this.#lengths[at] = length;
  }

  /** Forgets the ranges that end before a place. */
  forget(place: number): void {
    while (this.#oldest < this.#next && this.place(this.#oldest) + this.length(this.#oldest) <= place) this.#oldest++;
  }

  #at(range: number): number {
    return range & (this.#places.length - 1);
  }

  #grow(): void {
    const [sequences, places, lengths, befores] = [this.#sequences, this.#places, this.#lengths, this.#befores];
    const mask = places.length - 1;
    this.#sequences = new Int32Array(2 * places.length);
    this.#places = new Float64Array(2 * places.length);
    this.#lengths = new Int32Array(2 * places.length);
    this.#befores = new Float64Array(2 * places.length);
    for (let range = this.#oldest; range < this.#next - 1; range++) {
      const [from, to] = [range & mask, this.#at(range)];
      this.#sequences[to] = sequences[from] ?? 0;
      this.#places[to] = places[from] ?? 0;
      this.#lengths[to] = lengths[from] ?? 0;
      this.#befores[to] = befores[from] ?? 0;
    }
  }
}
