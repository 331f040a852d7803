import {
  compareRecordings,
  type Difference,
  type LeftOut,
  type Line,
  NormalForms,
  parseLine,
  Recording,
} from "../../src/check/index.js";
import { declarations } from "../../src/cli/declarations.js";
import { dissectors } from "../../src/index.js";
import type { Json } from "../../src/schema/index.js";

export const MESSAGES = declarations(dissectors).messages;

/** A message of a login, as a line of JSON; what a test does not care for is as it always is. */
export function line(message: string, fields: Readonly<Record<string, Json>> = {}, more: Partial<Line> = {}): Line {
  return {
    stream: 0,
    direction: message.startsWith("Cli2") ? "c2s" : "s2c",
    protocol: "moul.auth",
    message,
    status: "ok",
    fields,
    notes: [],
    ...more,
  };
}

/** What is not the same in two sequences of messages; lines are numbered from 1. */
export function differencesOf(
  expected: readonly Line[],
  found: readonly Line[],
  leftOut?: LeftOut,
): readonly Difference[] {
  const forms = new NormalForms(MESSAGES, leftOut);
  return compareRecordings(recorded(forms, expected), recorded(forms, found)).differences;
}

export function recorded(forms: NormalForms, lines: readonly Line[]): Recording {
  const recording = new Recording(forms);
  lines.forEach((one, index) => {
    recording.add(one, { at: index + 1, counts: true });
  });
  return recording;
}

/** Lines of JSON as they stand in a file. */
export function linesIn(text: string): Line[] {
  return text.trimEnd().split("\n").map(parseLine);
}
