import { copyOf } from "../common/copy-of.js";
import { UsageError } from "../common/usage-error.js";
import { dissectorsWith } from "../pipeline/dissectors.js";
import type { EngineOptions } from "../pipeline/options.js";
import { passMessages } from "./dissect.js";
import { type CaptureInputs, capturesIn } from "./inputs.js";
import { APPLICATION, refuseReadOnce } from "./rewriting.js";
import { type Run, yielding } from "./run.js";
import { keepableKinds, Scrubbing } from "./scrubbing.js";

/** What is replaced, besides the options of any run. */
export interface ScrubOptions extends Omit<EngineOptions, "filter" | "network"> {
  /** Kinds of private data that stay as they are: `player-name`, `chat`, `ip-address`, ... */
  readonly keep?: readonly string[];
  /** Makes the same replacements in every run; anyone who knows the text can test guesses. */
  readonly seed?: string;
}

/**
 * Yields the plaintext of captures as a capture (pcapng) that can be shared: names, secrets, addresses, chat and voice are
 * replaced. The captures are read twice.
 *
 * @throws UsageError if one of them can be read only once, or a kind to keep is unknown; CaptureError as `dissect` does
 */
export function scrub(captures: CaptureInputs, options: ScrubOptions = {}): Run<Uint8Array> {
  const { keep = [], seed, ...others } = options;
  return yielding(async (give, pause, hooks) => {
    const sources = capturesIn(captures);
    refuseReadOnce(sources, "scrubbing a capture");
    const all = dissectorsWith(options.dissectors ?? []);
    const kinds = keepableKinds(all);
    const unknown = keep.find((kind) => !kinds.has(kind));
    if (unknown !== undefined) {
      throw new UsageError(`${unknown} is not a kind of private data; these are: ${[...kinds.keys()].join(", ")}`);
    }
    const scrubbing = new Scrubbing(all, keep, seed);
    const run = { ...others, ...hooks };
    const { listener, ...gathering } = scrubbing.gathering();
    const gathered = await passMessages(sources, { ...run, ...gathering }, listener);
    // Secrets that have not been gathered would be given away.
    if (hooks.stop.aborted) return gathered;
    const {
      finish,
      capture,
      listener: rewrite,
      ...writing
    } = scrubbing.writing((bytes) => give(copyOf(bytes)), APPLICATION);
    const silent = { onProblem: () => {}, onRemark: () => {} };
    const { packets } = await passMessages(sources, { ...run, ...writing, ...silent }, rewrite, pause);
    const remarks = finish(packets);
    capture.flush();
    return { ...gathered, remarks: [...gathered.remarks, ...remarks] };
  }, options);
}
