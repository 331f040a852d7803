import { Classes } from "./classes.js";
import { Commands } from "./commands.js";
import { Damaged } from "./connections/damaged.js";
import { Datagrams } from "./connections/datagrams.js";
import { Forged } from "./connections/forged.js";
import { goodSessions } from "./connections/sessions.js";
import { Files } from "./files.js";
import { GivenFiles } from "./given-files.js";
import type { Level } from "./level.js";
import { OutputCheck } from "./outputs.js";
import { Plaintext } from "./plaintext.js";
import { Segments } from "./segments.js";
import { Skimmed } from "./skimmed.js";
import { soundTalks } from "./talks.js";

/** All levels, and the check of their output. */
interface HostileLevels {
  readonly all: readonly Level[];
  readonly classes: Classes;
  readonly outputs: OutputCheck;
}

/** The share of each level in the inputs of a run: one input of a whole conversation costs as much as many values. */
export const shares: Readonly<Record<string, number>> = {
  classes: 0.76,
  skimmed: 0.2,
  plaintext: 0.01,
  segments: 0.005,
  forged: 0.003,
  damaged: 0.003,
  datagrams: 0.003,
  files: 0.01,
  commands: 0.001,
  given: 0.005,
};

export async function hostileLevels(): Promise<HostileLevels> {
  const outputs = new OutputCheck();
  const talks = await soundTalks();
  const sessions = await goodSessions(talks);
  const classes = await Classes.create(outputs);
  const files = await Files.create(outputs);
  const all = [
    classes,
    new Skimmed(classes.seeds, classes.settings),
    new Plaintext(talks, outputs),
    new Segments(talks, outputs),
    new Forged(sessions),
    new Damaged(sessions),
    await Datagrams.create(),
    files,
    new Commands(files.captures),
    new GivenFiles(),
  ];
  return { all, classes, outputs };
}
