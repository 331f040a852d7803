import type { Dissector } from "../../index.js";
import { discoverKeys } from "../../platform/node/key-discovery.js";
import { inOrderOfTime } from "../../platform/node/time-order.js";
import { parseDecodeAs } from "../../session/decode-as.js";
import { fileSize } from "../file-size.js";
import { definitionInputs, knownDissectors } from "../known-dissectors.js";
import { limitsOf } from "../options/limit-option.js";
import type { ProcessIo } from "../process-io.js";
import { Progress } from "../progress.js";
import { outputOf } from "../writing/printing.js";
import type { TextOutput } from "../writing/text-output.js";
import { type RunFiles, withoutPipes } from "./dissect-options.js";
import type { CaptureRunOptions } from "./options.js";

/** Captures that are no larger, in bytes, are read before optimized code is of use: that is from 1 to 3 MB on. */
const SHORT_RUN = 1024 * 1024;

/** What a run must know before it begins. */
export interface Preparation {
  /** False if each capture is read separately: their order then does not matter. */
  readonly areOneRecording?: boolean;
  /** Files that the command itself reads: they must not be overwritten either. */
  readonly inputs?: readonly string[];
}

/** What a run works with: all that can be determined before it begins. */
export interface PreparedRun {
  readonly options: CaptureRunOptions;
  readonly io: ProcessIo;
  /** In the order in which they are read. */
  readonly captures: readonly string[];
  /** Dissectors that are not built in. */
  readonly loaded: readonly Dissector[];
  /** All dissectors, in the order in which they are asked. */
  readonly dissectors: readonly Dissector[];
  /** The key files and the definitions, as they are read. */
  readonly files: RunFiles;
  /** Files that must not be overwritten. */
  readonly inputs: readonly string[];
  readonly output: TextOutput;
  /** Undefined if it is not shown. */
  readonly progress: Progress | undefined;
}

/**
 * Prepares a run.
 *
 * @throws UsageError, DissectorModuleError or DecodeAsError if the options make no sense
 */
export async function prepareRun(
  captures: readonly string[],
  options: CaptureRunOptions,
  io: ProcessIo,
  { areOneRecording = true, inputs: others = [] }: Preparation,
): Promise<PreparedRun> {
  const { stderr, env } = io;
  const { loaded, all: dissectors } = await knownDissectors(options);
  for (const rule of options.decodeAs ?? []) parseDecodeAs(rule, dissectors);
  const keys = options.keys ?? (await discoverKeys(captures, env));
  const inputs = [...captures, ...keys, ...(await definitionInputs(options, dissectors)), ...others];
  const output = await outputOf(options, io, inputs);
  const files = { keys: await withoutPipes(keys), definitions: await withoutPipes(options.sdl ?? []) };
  const isShown = stderr.isTTY === true && options.progress !== false && options.quiet !== true;
  const ordered = areOneRecording ? await inOrderOfTime(captures, limitsOf(options)) : captures;
  const sizes = await Promise.all(ordered.map(fileSize));
  const progress = isShown ? new Progress(stderr, sizes) : undefined;
  const bytes = sizes.reduce<number>((sum, size) => sum + (size ?? Number.POSITIVE_INFINITY), 0);
  if (bytes <= SHORT_RUN) io.expectShortRun?.();
  return { options, io, captures: ordered, loaded, dissectors, files, inputs, output, progress };
}
