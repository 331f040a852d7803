import type { RunFiles } from "../run/dissect-options.js";
import type { CaptureRunOptions } from "../run/options.js";

/** What a thread has to know that dissects a share of the conversations. */
export interface DividedSetup<Options extends CaptureRunOptions> {
  readonly options: Options;
  readonly files: RunFiles;
  readonly captures: readonly string[];
  /** How many bytes of each capture are read: files may still be growing. */
  readonly lengths: readonly number[];
}
