import { counted } from "../../common/counted.js";
import type { CaptureRun } from "../run/capture-run.js";

/** Makes something else of a capture that has been written: the whole of it. */
export type Wrap = (capture: Uint8Array) => Promise<string>;

/** Longest capture that is held in memory to be wrapped. */
const LONGEST = 512 * 1024 * 1024;

/** Where a command writes a capture: piece by piece to its output, or, if it is to be wrapped, all at once at the end. */
export class WrittenCapture {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(
    readonly run: CaptureRun,
    readonly wrap: Wrap | undefined,
  ) {}

  /** @throws Error if there is too much to wrap */
  write(bytes: Uint8Array): void {
    if (this.wrap === undefined) {
      this.run.output.write(bytes);
      return;
    }
    this.#length += bytes.length;
    if (this.#length > LONGEST) throw new RangeError(`there are more than ${counted(LONGEST, "byte")} to write`);
    this.#pieces.push(bytes.slice());
  }

  /** Must be called once everything is written. */
  async end(): Promise<void> {
    if (this.wrap === undefined) return;
    this.run.output.write(await this.wrap(Buffer.concat(this.#pieces)));
  }
}
