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

/** Those of them that are nagus-session.pcap in another form of capture, with the same messages (`test/samples`). */
export const OTHER_FORMS: readonly string[] = ["nagus-session.any.pcap", "nagus-session.pcapng"];

/** The captures among the samples, each session once. */
export const SESSIONS: readonly string[] = SAMPLES.filter((name) => !OTHER_FORMS.includes(name));

/** Those of them that have messages of their own: dirtsand-session.pcap has those of dirtsand-plain.pcap, encrypted. */
export const DISTINCT_SESSIONS: readonly string[] = SESSIONS.filter((name) => name !== "dirtsand-session.pcap");

/** The bytes of a sample in chunks. */
export function openSample(name: string): AsyncIterable<Uint8Array> {
  return openCapture(sample(name));
}
