/** Numbers of SYNs that are remembered until one of them is acknowledged; a server with SYN cookies sends a few. */
const MOST_STARTS = 8;

/** Shared by all directions in which everything is believed: nothing is ever added. */
const NO_STARTS: readonly number[] = [];

/** Where else than at the number that is believed one direction of a TCP connection may begin. */
export class OtherStarts {
  /** Other SYNs have said so, and none is acknowledged yet. */
  sent = NO_STARTS;
  /** The same where only the other side has said so: what it acknowledges later says nothing new. */
  claimed = NO_STARTS;

  get all(): readonly number[] {
    return this.sent.length + this.claimed.length === 0 ? NO_STARTS : [...this.sent, ...this.claimed];
  }

  /** A SYN has another number than the one before. */
  replace(before: number, sequence: number): void {
    this.sent = withStart(
      this.sent.filter((other) => other !== sequence),
      before,
    );
  }

  /** The other side has acknowledged a number that no SYN has. */
  claim(sequence: number): void {
    this.claimed = withStart(this.claimed, sequence);
  }

  forget(): void {
    this.sent = NO_STARTS;
    this.claimed = NO_STARTS;
  }
}

function withStart(starts: readonly number[], start: number): number[] {
  return [...starts.filter((other) => other !== start), start].slice(-MOST_STARTS);
}
