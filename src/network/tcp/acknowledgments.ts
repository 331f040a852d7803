/**
 * What the receiver of one direction of a TCP connection has acknowledged, and what of that is certain to be lost if it
 * has not come.
 */
export class Acknowledgments {
  /** Whether there has been one; the others mean nothing before. */
  any = false;
  /** The highest number that was acknowledged. */
  highest = 0;
  /** The number of the segment that has said so. */
  #at = 0;
  /** Holes before this number are lost: they were acknowledged long enough ago. */
  #proven: number | undefined;

  /** How far `sequence` is beyond what was acknowledged. */
  beyond(sequence: number): number {
    return (sequence - this.highest) | 0;
  }

  /** Whether everything before a number was acknowledged, and `more` numbers from it on. */
  reaches(sequence: number, more = 0): boolean {
    return this.any && ((this.highest - sequence) | 0) >= more;
  }

  /** Whether an acknowledgment says nothing new. */
  isOld(sequence: number): boolean {
    return this.any && this.beyond(sequence) <= 0;
  }

  /** Whether the segment of this number came after the one with the highest acknowledgment. */
  isSince(at: number): boolean {
    return ((at - this.#at) | 0) > 0;
  }

  /** @param at the number of the segment that acknowledges. */
  raise(sequence: number, at: number): void {
    this.highest = sequence;
    this.#at = at;
    this.any = true;
  }

  /** Takes back everything from a number on. */
  takeBack(sequence: number): void {
    this.highest = sequence;
    if (this.#proven !== undefined && ((this.#proven - sequence) | 0) > 0) this.#proven = undefined;
  }

  /** Notes that everything before this number was acknowledged long enough ago; false if that was taken back. */
  believe(sequence: number): boolean {
    if (this.beyond(sequence) > 0) return false;
    if (this.#proven === undefined || ((sequence - this.#proven) | 0) > 0) this.#proven = sequence;
    return true;
  }

  /** Whether a hole that ends before `sequence` is lost. */
  isProven(sequence: number): boolean {
    return this.#proven !== undefined && ((this.#proven - sequence) | 0) >= 0;
  }

  /**
   * Takes back that what goes beyond `next` was acknowledged long ago, now that the bytes from there on come: the
   * acknowledgment was wrong, or they are sent again, and will be acknowledged again.
   */
  reconsider(next: number): void {
    if (this.#proven === undefined || ((this.#proven - next) | 0) <= 0) return;
    this.#proven = undefined;
    this.highest = next;
  }
}
