import {
  compareRecordings,
  type Difference,
  LineError,
  NormalForms,
  parseLine,
  Recording,
  type Tuning,
  type TuningOptions,
  tuningOf,
} from "../check/index.js";
import { jsonLine } from "../output/json/json.js";
import { dissectorsWith } from "../pipeline/dissectors.js";
import type { EngineOptions } from "../pipeline/options.js";
import { declarations } from "../reference/declarations.js";
import type { GivenFile } from "../session/files/offered-file.js";
import { dissectCaptures } from "./dissect.js";
import type { EndOfRun } from "./end-of-run.js";
import type { CaptureInputs } from "./inputs.js";

/** What is expected of a session: the lines of `--json` or `check --update`, or another recording. */
export type Expectation =
  | { readonly lines: Iterable<string> }
  | {
      readonly captures: CaptureInputs;
      /** Its key files, if they are others than those of the session. */
      readonly keys?: readonly GivenFile[];
    };

/** What is compared, besides the options of any run. */
export interface CheckOptions extends Omit<EngineOptions, "filter" | "network">, TuningOptions {}

/** How a session differs from what is expected of it. */
export interface CheckResult {
  /** Empty if it is as expected. */
  readonly differences: readonly Difference[];
  /** How many messages of the session, and of the expectation, were compared: 0 if there was nothing to compare. */
  readonly compared: { readonly found: number; readonly expected: number };
  readonly end: EndOfRun;
}

/**
 * Compares a recorded session with what is expected of it, by its meaning: what differs between any two recordings of the
 * same session, such as times and ports, is not compared.
 *
 * @throws UsageError or FilterError if the options make no sense, LineError if a line of the expectation is none
 */
export async function check(
  captures: CaptureInputs,
  expectation: Expectation,
  options: CheckOptions = {},
): Promise<CheckResult> {
  const { ignore, only, anyOrder, ...run } = options;
  const dissectors = dissectorsWith(options.dissectors ?? []);
  const tuning = await tuningOf(
    { ...(ignore && { ignore }), ...(only !== undefined && { only }), ...(anyOrder && { anyOrder }) },
    dissectors,
  );
  const forms = new NormalForms(declarations(dissectors).messages, tuning.leftOut);
  const expected = new Recording(forms);
  if ("lines" in expectation) addLines(expectation.lines, expected, tuning);
  else await addCaptures(expectation.captures, { ...run, keys: expectation.keys ?? run.keys ?? [] }, expected, tuning);
  const found = new Recording(forms);
  const end = await addCaptures(captures, run, found, tuning);
  const differences = compareRecordings(expected, found).differences.filter(
    ({ kind }) => !(tuning.anyOrder && kind === "moved"),
  );
  return { differences, compared: { found: found.messages, expected: expected.messages }, end };
}

function addLines(lines: Iterable<string>, recording: Recording, { mayCount }: Tuning): void {
  let at = 0;
  for (const text of lines) {
    at++;
    if (text.trim() === "") continue;
    try {
      const line = parseLine(text);
      recording.add(line, { at, counts: mayCount(line) });
    } catch (error) {
      if (error instanceof LineError) throw new LineError(`line ${at}: ${error.message}`);
      if (error instanceof RangeError) throw new LineError(`line ${at}: this is nested too deeply`);
      throw error;
    }
  }
}

function addCaptures(
  captures: CaptureInputs,
  run: EngineOptions,
  recording: Recording,
  { counts }: Tuning,
): Promise<EndOfRun> {
  return dissectCaptures(captures, run, (message) => {
    recording.add(parseLine(jsonLine(message, 1)), { at: message.number, counts: counts(message) });
  });
}
