import type { CaptureSource } from "../../../capture/source.js";
import type { Dissector } from "../../../dissector/dissector.js";
import { captureOf } from "../../../pipeline/capture-input.js";
import { readKeyFile } from "../../../session/files/key-files.js";
import type { FileInMemory } from "../../../session/files/offered-file.js";
import type { FileKind } from "../../served.js";
import type { InputFile } from "../../session-api.js";

/** A larger file is a capture. */
const LARGEST_KEY_FILE = 16 * 1024 * 1024;

/** What was opened, told apart by its contents. */
export interface Inputs {
  readonly captures: readonly CaptureSource[];
  readonly keys: readonly FileInMemory[];
  readonly definitions: readonly FileInMemory[];
  /** Bytes of all captures; undefined if it is not known, as of a recording. */
  readonly totalBytes: number | undefined;
}

/** Finds out what files are: what a dissector knows as keys or definitions is that, and anything else a capture. */
export async function sorted(files: readonly InputFile[], dissectors: readonly Dissector[]): Promise<Inputs> {
  const captures: CaptureSource[] = [];
  const keys: FileInMemory[] = [];
  const definitions: FileInMemory[] = [];
  let totalBytes: number | undefined = 0;
  for (const { name, source, kind, isLive = false } of files) {
    const content = source instanceof Blob ? source : await served(source.url, isLive);
    if (!(content instanceof Blob)) {
      captures.push(captureOf(content, name));
      totalBytes = undefined;
      continue;
    }
    const bytes = kind === "capture" ? undefined : await small(content);
    const found = kind ?? (bytes === undefined ? "capture" : kindOf({ name, bytes }, dissectors));
    if (found === "capture" || bytes === undefined) {
      captures.push(captureOf(content, name));
      if (totalBytes !== undefined) totalBytes += content.size;
    } else if (found === "keys") keys.push({ name, bytes });
    else definitions.push({ name, bytes });
  }
  return { captures, keys, definitions, totalBytes };
}

function kindOf(file: FileInMemory, dissectors: readonly Dissector[]): FileKind {
  if (readKeyFile(file, dissectors).files.length > 0) return "keys";
  return isDefinition(file, dissectors) ? "definitions" : "capture";
}

async function small(blob: Blob): Promise<Uint8Array | undefined> {
  return blob.size <= LARGEST_KEY_FILE ? new Uint8Array(await blob.arrayBuffer()) : undefined;
}

/** What is served beside the page: of a recording, its bytes as they come. */
async function served(url: string, isLive: boolean): Promise<Blob | ReadableStream<Uint8Array>> {
  const response = await fetch(url);
  if (!response.ok || response.body === null) throw new Error(`the page's server answered ${response.status}`);
  return isLive ? response.body : response.blob();
}

/** True for what a dissector knows as definitions, or what is called so: then it says what is wrong with it. */
function isDefinition({ name, bytes }: FileInMemory, dissectors: readonly Dissector[]): boolean {
  return dissectors.some(({ readDefinitions, definitionEnding }) => {
    if (definitionEnding !== undefined && name.toLowerCase().endsWith(definitionEnding)) return true;
    return readDefinitions?.(name, bytes, [], []).recognised === true;
  });
}
