/** Milliseconds between two reports of progress. */
const INTERVAL = 100;

/** Reports of progress, not too often, and none missing: a recording may bring nothing more for a long time. */
export class RegularReports {
  #last = 0;
  #later: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  /** @param prepare is waited for before a report */
  constructor(
    readonly prepare: () => Promise<void>,
    readonly report: () => void,
  ) {}

  /** Reports now, if the last time is long enough ago. */
  async now(): Promise<void> {
    if (performance.now() - this.#last > INTERVAL) await this.#report();
  }

  /** Reports later what there is by then. */
  later(): void {
    this.#later ??= setTimeout(() => void this.#report(), INTERVAL);
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#later);
  }

  async #report(): Promise<void> {
    clearTimeout(this.#later);
    this.#later = undefined;
    this.#last = performance.now();
    await this.prepare();
    // The end may have been told meanwhile.
    if (!this.#isOver) this.report();
  }
}
