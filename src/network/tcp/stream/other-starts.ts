/** Numbers of SYNs that are remembered until one of them is acknowledged; a server with SYN cookies sends a few. */
const MOST_STARTS = 8;

/** Shared by all directions in which everything is believed: nothing is ever added. */
const NO_STARTS: readonly number[] = [];

/**
 * Where else than at the number that is believed one direction of a TCP connection may begin: other numbers of its first
 * byte (ISN + 1), until one of them is settled.
 */
export class OtherStarts {
  /** Other SYNs have stated them, and none is acknowledged yet. */
  stated = NO_STARTS;
  /**
   * No SYN has: the other side has acknowledged them, so what it acknowledges later says nothing new; or segments without
   * data have them.
   */
  claimed = NO_STARTS;

  get all(): readonly number[] {
    return this.stated.length + this.claimed.length === 0 ? NO_STARTS : [...this.stated, ...this.claimed];
  }

  /** A SYN states another number than the one before. */
  replace(before: number, sequence: number): void {
    this.stated = withStart(
      this.stated.filter((other) => other !== sequence),
      before,
    );
  }

  /** An acknowledgment, or a segment without data, has a number that no SYN states. */
  claim(sequence: number): void {
    this.claimed = withStart(this.claimed, sequence);
  }

  forget(): void {
    this.stated = NO_STARTS;
    this.claimed = NO_STARTS;
  }
}

function withStart(starts: readonly number[], start: number): number[] {
  return [...starts.filter((other) => other !== start), start].slice(-MOST_STARTS);
}
