import type { InternalError } from "../../index.js";
import { reportDissectorError, reportInternalError } from "../internal-error.js";
import { say } from "../say.js";
import { ErrorOutput } from "./error-output.js";
import type { PreparedRun } from "./preparation.js";

/** What a run says on standard error: remarks may be unwanted, and everything may have to wait for a pager. */
export class RunRemarks {
  readonly #stderr: ErrorOutput;
  readonly #isQuiet: boolean;
  /** Names of the dissectors that are not built in. */
  readonly #loaded: ReadonlySet<string>;
  /** Remarks held back by `--quiet`. */
  readonly #silenced: string[] = [];
  readonly #saidOnce = new Set<string>();

  constructor({ options, io, loaded, progress }: PreparedRun) {
    this.#stderr = new ErrorOutput(io.stderr, progress);
    this.#isQuiet = options.quiet === true;
    this.#loaded = new Set(loaded.map(({ name }) => name));
  }

  /** Says something, even with `--quiet`. */
  say(text: string): void {
    say(this.#stderr, text);
  }

  /** Says something unless `--quiet` holds it back. */
  remark(text: string): void {
    if (this.#isQuiet) this.#silenced.push(text);
    else this.say(text);
  }

  /** The same for a remark that is not worth repeating: some commands read twice. */
  remarkOnce(text: string): void {
    if (this.#saidOnce.has(text)) return;
    this.#saidOnce.add(text);
    this.remark(text);
  }

  /** Says after all what `--quiet` held back. */
  explain(): void {
    for (const text of this.#silenced) this.say(text);
  }

  /** Reports an error in this program or in a dissector. */
  internalError({ error, dissector, stream, direction, offset }: InternalError): void {
    const where = ` in stream ${stream}, ${direction}, offset ${offset}`;
    if (this.#loaded.has(dissector)) reportDissectorError(this.#stderr, dissector, where, error);
    else reportInternalError(this.#stderr, where, error);
  }

  /** Holds everything back until `release`. */
  hold(): void {
    this.#stderr.hold();
  }

  /** Writes what was held back. */
  release(): void {
    this.#stderr.release();
  }
}
