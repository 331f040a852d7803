import {
  compareSessions,
  type Difference,
  LineError,
  NormalForms,
  parseLine,
  SessionRecording,
  type Tuning,
  type TuningOptions,
  tuningOf,
} from "../check/index.js";
import type { Dissector } from "../dissector/dissector.js";
import { defaultLimits } from "../limits.js";
import { jsonLine } from "../output/json/json.js";
import { dissectorsWith } from "../pipeline/dissectors.js";
import type { EngineOptions } from "../pipeline/options.js";
import { declarations } from "../reference/declarations.js";
import type { GivenFile } from "../session/files/offered-file.js";
import { passMessages } from "./dissect.js";
import type { EndOfRun } from "./end-of-run.js";
import type { CaptureInputs } from "./inputs.js";
import { VaultRecorder } from "./vault-recorder.js";

/** What is expected of a session: the lines of `--json` or `check --update`, or another recording. */
export type Expectation =
  | { readonly lines: Iterable<string> }
  | {
      readonly captures: CaptureInputs;
      /** Its key files, if they are others than those of the session. */
      readonly keys?: readonly GivenFile[];
    };

/** What is compared, besides the options of any run. */
export interface CheckOptions extends Omit<EngineOptions, "network">, TuningOptions {
  /**
   * Only messages of captures that pass this display filter are compared; lines are all expected, and so have to be of
   * messages that pass.
   */
  readonly filter?: string;
  /**
   * Whether to compare what the vault has become, too; if undefined, it is if the expectation has lines about it. Of an
   * expectation that has only such lines, nothing else is compared.
   */
  readonly vault?: boolean;
}

/** How a session differs from what is expected of it. */
export interface CheckResult {
  /** Empty if it is as expected. */
  readonly differences: readonly Difference[];
  /** How many messages of the session, and of the expectation, were compared: 0 if there was nothing to compare. */
  readonly compared: { readonly found: number; readonly expected: number };
  /** The same of nodes of the vault; undefined if they were not compared. */
  readonly comparedNodes: { readonly found: number; readonly expected: number } | undefined;
  /** How the run over the session ended; its remarks begin with those on captures that are the expectation. */
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
  const { ignore, only, anyOrder, vault, ...run } = options;
  const dissectors = dissectorsWith(options.dissectors ?? []);
  const tuning = await tuningOf(
    { ...(ignore && { ignore }), ...(only !== undefined && { only }), ...(anyOrder && { anyOrder }) },
    dissectors,
  );
  const forms = new NormalForms(declarations(dissectors).messages, tuning.leftOut);
  const expected = new SessionRecording(forms);
  if ("lines" in expectation) addLines(expectation.lines, expected, tuning);
  const { lines } = expected;
  const hasVault = vault ?? lines.nodes > 0;
  const hasMessages = !(hasVault && lines.nodes > 0 && lines.messages === 0);
  const into = ({ messages, nodes }: SessionRecording) => ({
    ...(hasMessages && { messages }),
    ...(hasVault && { nodes }),
  });
  const ofExpected: string[] = [];
  if ("captures" in expectation) {
    const inputs = { ...run, keys: expectation.keys ?? run.keys ?? [] };
    const { remarks } = await addCaptures(expectation.captures, inputs, into(expected), tuning, dissectors);
    ofExpected.push(...remarks);
  }
  const found = new SessionRecording(forms);
  const end = await addCaptures(captures, run, into(found), tuning, dissectors);
  const { differences } = compareSessions(expected, found, { anyOrder: tuning.anyOrder, hasVault });
  return {
    differences,
    compared: { found: found.messages.messages, expected: expected.messages.messages },
    comparedNodes: hasVault ? { found: found.nodes.size, expected: expected.nodes.size } : undefined,
    end: { ...end, remarks: [...ofExpected, ...end.remarks] },
  };
}

function addLines(lines: Iterable<string>, expected: SessionRecording, { mayCount }: Tuning): void {
  let at = 0;
  for (const text of lines) {
    at++;
    try {
      expected.addExpected(text, at, mayCount);
    } catch (error) {
      if (error instanceof LineError) throw new LineError(`line ${at}: ${error.message}`);
      throw error;
    }
  }
}

async function addCaptures(
  captures: CaptureInputs,
  run: EngineOptions,
  { messages, nodes }: Partial<Pick<SessionRecording, "messages" | "nodes">>,
  { counts }: Tuning,
  dissectors: readonly Dissector[],
): Promise<EndOfRun> {
  const vault = nodes && new VaultRecorder(dissectors, { ...defaultLimits, ...run.limits });
  const end = await passMessages(captures, run, (message) => {
    vault?.take(message);
    messages?.add(parseLine(jsonLine(message, 1)), { at: message.number, counts: counts(message) });
  });
  if (nodes !== undefined) vault?.addTo(nodes);
  return end;
}
