import type { DefinitionOptions } from "../known-dissectors.js";
import type { LimitOptions } from "../options/limit-option.js";
import type { OutputOptions } from "../writing/output-file.js";

/** The options of commands that read captures. */
export interface CaptureRunOptions extends DefinitionOptions, OutputOptions, LimitOptions {
  readonly keys?: readonly string[];
  readonly decodeAs?: readonly string[];
  readonly sdlKey?: string;
  readonly keepDuplicates?: boolean;
  readonly quiet?: boolean;
  /** False for `--no-progress`. */
  readonly progress?: boolean;
}
