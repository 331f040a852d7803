import type { InternalError } from "../dissector/failure.js";

/** The most failures that are reported. */
const MOST_FAILURES = 1000;

/** Knows where a failure has been reported: there may be one for each message. */
export class FirstFailures {
  readonly #failed = new Set<string>();

  /** True for the first failure of a direction, unless there were too many of others. */
  take({ dissector, stream, direction }: InternalError): boolean {
    const place = `${dissector} ${stream} ${direction}`;
    if (this.#failed.has(place) || this.#failed.size >= MOST_FAILURES) return false;
    this.#failed.add(place);
    return true;
  }
}
