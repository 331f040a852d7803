import type { CaptureSource } from "../../capture/source.js";
import { type CaptureInput, captureOf } from "../../pipeline/capture-input.js";
import type { EngineOptions } from "../../pipeline/options.js";
import type { FileInMemory } from "../../session/files/offered-file.js";
import { captureAt } from "./capture-file.js";
import { decompressors } from "./decompressors.js";
import { givenFiles } from "./file-on-disk.js";
import { discoverKeys } from "./key-discovery.js";

/** A capture: its path ("-" is standard input), or its bytes. */
export type Input = string | CaptureInput;

/** One capture, or several, which are read one after the other, as one continuous recording. */
export type Inputs = Input | readonly Input[];

/** Options of a run in Node.js, which reads files. */
export interface DissectOptions extends Omit<EngineOptions, "keys" | "definitions"> {
  /**
   * Key files: their paths or their content. Formats are recognised by content. By default, those that the command line
   * finds: `session.pcap.keys` or `session.keys` beside the capture, or the file that MOULKEYLOGFILE names; [] for none.
   */
  readonly keys?: readonly (string | FileInMemory)[];
  /** Definition files (`.sdl`), plain or encrypted: paths of files or folders, or the content of files. */
  readonly definitions?: readonly (string | FileInMemory)[];
}

/** What the engine needs for a run. */
export async function prepared<O extends DissectOptions>(
  inputs: Inputs,
  options: O,
): Promise<{ captures: readonly CaptureSource[]; options: Omit<O, "keys" | "definitions"> & EngineOptions }> {
  const all = isList(inputs) ? inputs : [inputs];
  const paths = all.filter((input) => typeof input === "string");
  const keys = givenFiles(options.keys ?? (await discoverKeys(paths, process.env)));
  return {
    captures: all.map(captureFrom),
    options: { ...options, keys, definitions: givenFiles(options.definitions ?? []) },
  };
}

function captureFrom(input: Input): CaptureSource {
  if (typeof input === "string") return captureAt(input);
  const source = captureOf(input);
  return { decompressors, name: source.name, open: (signal) => source.open(signal) };
}

function isList(inputs: Inputs): inputs is readonly Input[] {
  return Array.isArray(inputs);
}
