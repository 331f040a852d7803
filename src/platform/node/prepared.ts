import type { CaptureSource } from "../../capture/source.js";
import { type CaptureInput, captureOf } from "../../pipeline/capture-input.js";
import type { EngineOptions } from "../../pipeline/options.js";
import type { FileInMemory } from "../../session/files/offered-file.js";
import { captureAt, isReadOnce } from "./capture-file.js";
import { decompressorsOf } from "./decompressors.js";
import { givenFiles } from "./file-on-disk.js";
import { discoverKeys } from "./key-discovery.js";

/** A capture: its path ("-" is standard input), or its bytes. */
export type Input = string | CaptureInput;

/** One capture, or several, which are read one after the other, as one continuous recording. */
export type Inputs = Input | readonly Input[];

/** The files that a run needs besides its captures. */
export interface FileOptions {
  /**
   * Key files: their paths or their content. Formats are recognised by content. By default, those that the command line
   * finds: `session.pcap.keys` or `session.keys` beside the capture, or the file that MOULKEYLOGFILE names; [] for none.
   */
  readonly keys?: readonly (string | FileInMemory)[];
  /** Definition files (`.sdl`), plain or encrypted: paths of files or folders, or the content of files. */
  readonly definitions?: readonly (string | FileInMemory)[];
}

/** Options for the engine, with files by their paths. */
export type InNode<O> = Omit<O, keyof FileOptions> & FileOptions;

/** Options of a run in Node.js, which reads files. */
export interface DissectOptions extends Omit<EngineOptions, keyof FileOptions>, FileOptions {}

/** What the engine needs for a run. */
export async function prepared(
  inputs: Inputs,
  { keys, definitions = [] }: FileOptions,
): Promise<{ captures: readonly CaptureSource[]; files: Required<Pick<EngineOptions, keyof FileOptions>> }> {
  const all = isList(inputs) ? inputs : [inputs];
  const paths = all.filter((input) => typeof input === "string");
  const found = keys ?? (await discoverKeys(paths, process.env));
  return {
    captures: await Promise.all(all.map(captureFrom)),
    files: { keys: givenFiles(found), definitions: givenFiles(definitions) },
  };
}

async function captureFrom(input: Input): Promise<CaptureSource> {
  if (typeof input === "string") return { ...captureAt(input), isReadOnce: await isReadOnce(input) };
  const source = captureOf(input);
  const { name, isReadOnce: isOnce = false } = source;
  const decompressors = source.decompressors ?? decompressorsOf(async () => (isOnce ? undefined : () => source.open()));
  return { decompressors, name, isReadOnce: isOnce, open: (signal) => source.open(signal) };
}

function isList(inputs: Inputs): inputs is readonly Input[] {
  return Array.isArray(inputs);
}
