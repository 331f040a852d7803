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
  at = 0;
  /** Segments with the same number that have said less since. */
  #lower = 0;
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

  /**
   * Whether a segment that acknowledges less shows that the highest acknowledgment is wrong: its sender has sent it
   * later. One with the same number may have been overtaken; another one has not.
   */
  isRefutedBy(at: number): boolean {
    const later = (at - this.at) | 0;
    if (later === 0) this.#lower++;
    return later > 0 || this.#lower > 1;
  }

  /** @param at the number of the segment that acknowledges. */
  raise(sequence: number, at: number): void {
    this.highest = sequence;
    this.at = at;
    this.any = true;
    this.#lower = 0;
  }

  /** Takes back everything from a number on. */
  takeBack(sequence: number): void {
    this.highest = sequence;
    this.#lower = 0;
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
