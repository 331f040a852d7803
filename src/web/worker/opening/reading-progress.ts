import type { ReadingPlace } from "../../../pipeline/read-captures.js";
import type { Progress } from "../../session-api.js";

/** How much of several captures, which are read one after the other, has been read. */
export class ReadingProgress {
  /** Which capture is being read, how many bytes of it have been read, and of those before it. */
  #capture = 0;
  #bytes = 0;
  #before = 0;

  /**
   * @param names of the captures
   * @param totalBytes of all of them; undefined if it is not known
   */
  constructor(
    readonly names: readonly string[],
    readonly totalBytes: number | undefined,
  ) {}

  /** Reading has come so far. */
  reached({ capture, bytes }: ReadingPlace): void {
    if (capture !== this.#capture) {
      this.#before += this.#bytes;
      this.#capture = capture;
    }
    this.#bytes = bytes;
  }

  /** What there is to say about it. */
  get facts(): Pick<Progress, "captures" | "bytes" | "totalBytes"> {
    return { captures: this.names, bytes: this.#before + this.#bytes, totalBytes: this.totalBytes };
  }
}
