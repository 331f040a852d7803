import { Classes } from "./classes.js";
import { Files } from "./files.js";
import type { Level } from "./level.js";
import { OutputCheck } from "./outputs.js";
import { Plaintext } from "./plaintext.js";
import { Segments } from "./segments.js";
import { soundTalks } from "./talks.js";

/** All levels, each with its share of the inputs of a run, and what has checked their output. */
export async function hostileLevels(): Promise<{
  readonly levels: readonly (Level & { readonly share: number })[];
  readonly outputs: OutputCheck;
}> {
  const outputs = new OutputCheck();
  const talks = await soundTalks();
  const levels = [
    Object.assign(await Classes.create(outputs), { share: 0.97 }),
    Object.assign(new Plaintext(talks, outputs), { share: 0.015 }),
    Object.assign(new Segments(talks, outputs), { share: 0.005 }),
    Object.assign(await Files.create(outputs), { share: 0.01 }),
  ];
  return { levels, outputs };
}
