import { readdirSync } from "node:fs";
import { openCapture } from "../../src/platform/node/capture-file.js";
import { projectPath } from "./project-path.js";

/** Path of a file in `samples/`, or of that folder if none is named. */
export function sample(name = ""): string {
  return projectPath(`samples/${name}`);
}

/** The captures among the samples. */
export const SAMPLES: readonly string[] = readdirSync(sample())
  .filter((name) => /\.pcap(ng)?$/.test(name))
  .sort();

/** The bytes of a sample in chunks. */
export function openSample(name: string): AsyncIterable<Uint8Array> {
  return openCapture(sample(name));
}
