const FEWEST = 16;

/**
 * Where stretches of streams are in a ring of bytes, numbered from 0 as they came: at most as many as the ring has
 * bytes. All streams share a few arrays of numbers, so that nothing is allocated per packet, and hardly anything per
 * stream.
 */
export class RecentStretches {
  /** Number of the oldest known stretch, and of the next one. */
  #oldest = 0;
  #next = 0;
  // The low bits of a stretch's number are its index in the arrays, whose length is a power of two.
  #sequences = new Int32Array(FEWEST);
  #places = new Float64Array(FEWEST);
  #lengths = new Int32Array(FEWEST);
  #befores = new Float64Array(FEWEST);

  /** Whether a stretch has not been forgotten. */
  knows(stretch: number): boolean {
    return stretch >= this.#oldest;
  }

  isNewest(stretch: number): boolean {
    return stretch === this.#next - 1;
  }

  /** Sequence number of the first byte, signed. */
  sequence(stretch: number): number {
    return this.#sequences[this.#at(stretch)] ?? 0;
  }

  /** Place of the first byte, counted from the first one ever put into the ring. */
  place(stretch: number): number {
    return this.#places[this.#at(stretch)] ?? 0;
  }

  length(stretch: number): number {
    return this.#lengths[this.#at(stretch)] ?? 0;
  }

  /** The previous stretch of its stream; -1 if there was none. */
  before(stretch: number): number {
    return this.#befores[this.#at(stretch)] ?? 0;
  }

  /** Adds a stretch; returns its number. */
  add(sequence: number, place: number, length: number, before: number): number {
    const stretch = this.#next++;
    if (this.#next - this.#oldest > this.#places.length) this.#grow();
    this.change(stretch, sequence, place, length);
    this.#befores[this.#at(stretch)] = before;
    return stretch;
  }

  /** Changes where a stretch begins and ends. */
  change(stretch: number, sequence: number, place: number, length: number): void {
    const at = this.#at(stretch);
    this.#sequences[at] = sequence;
    this.#places[at] = place;
    this.#lengths[at] = length;
  }

  /** Forgets the stretches that end before a place. */
  forget(place: number): void {
    while (this.#oldest < this.#next && this.place(this.#oldest) + this.length(this.#oldest) <= place) this.#oldest++;
  }

  #at(stretch: number): number {
    return stretch & (this.#places.length - 1);
  }

  #grow(): void {
    const [sequences, places, lengths, befores] = [this.#sequences, this.#places, this.#lengths, this.#befores];
    const mask = places.length - 1;
    this.#sequences = new Int32Array(2 * places.length);
    this.#places = new Float64Array(2 * places.length);
    this.#lengths = new Int32Array(2 * places.length);
    this.#befores = new Float64Array(2 * places.length);
    for (let stretch = this.#oldest; stretch < this.#next - 1; stretch++) {
      const [from, to] = [stretch & mask, this.#at(stretch)];
      this.#sequences[to] = sequences[from] ?? 0;
      this.#places[to] = places[from] ?? 0;
      this.#lengths[to] = lengths[from] ?? 0;
      this.#befores[to] = befores[from] ?? 0;
    }
  }
}
