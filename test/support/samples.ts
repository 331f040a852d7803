import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openCapture } from "../../src/capture/source.js";

const FOLDER = new URL("../../samples/", import.meta.url);

/** The captures among the samples. */
export const SAMPLES: readonly string[] = readdirSync(FOLDER)
  .filter((name) => /\.pcap(ng)?$/.test(name))
  .sort();

export function samplePath(name: string): string {
  return fileURLToPath(new URL(name, FOLDER));
}

/** The bytes of a sample in chunks. */
export function openSample(name: string): AsyncIterable<Uint8Array> {
  return openCapture(samplePath(name));
}
