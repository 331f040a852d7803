import {
  compareRecordings,
  type Difference,
  type LeftOut,
  type Line,
  NormalForms,
  parseLine,
  Recording,
} from "../../src/check/index.js";
import { dissectors } from "../../src/index.js";
import { declarations } from "../../src/reference/declarations.js";
import type { Json } from "../../src/schema/index.js";

export const MESSAGES = declarations(dissectors).messages;

/** A message of a login, as a line of JSON; what a test does not specify has its usual value. */
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

/** For most tests: what a message is like is found out once. */
const usualForms = new NormalForms(MESSAGES);

/** The differences between two sequences of messages; lines are numbered from 1. */
export function differencesOf(
  expected: readonly Line[],
  found: readonly Line[],
  leftOut?: LeftOut,
): readonly Difference[] {
  const forms = leftOut === undefined ? usualForms : new NormalForms(MESSAGES, leftOut);
  return compareRecordings(recorded(forms, expected), recorded(forms, found)).differences;
}

export function recorded(forms: NormalForms, lines: readonly Line[]): Recording {
  const recording = new Recording(forms);
  lines.forEach((one, index) => {
    recording.add(one, { at: index + 1, counts: true });
  });
  return recording;
}

/** The lines of JSON in a file. */
export function linesIn(text: string): Line[] {
  return text.trimEnd().split("\n").map(parseLine);
}
