import {
  type Comparison,
  compareRecordings,
  type Difference,
  type Line,
  NormalForms,
  parseLine,
  Recording,
  type Tuning,
} from "../../check/index.js";
import { jsonLine } from "../../output/json/json.js";
import { Undecrypted } from "../../remarks/undecrypted.js";
import type { Struct } from "../../schema/language/struct.js";
import type { CaptureRun } from "../run/capture-run.js";
import { whyMissing } from "../run/missing.js";
import { isReadable, isUnreadable } from "../run/verdict.js";
import { readExpectation } from "./expectation.js";
import type { ExpectationKind, RecordedSession } from "./sessions.js";

/** A session that was compared with its expectation. */
export interface CheckedSession {
  readonly session: RecordedSession;
  readonly forms: NormalForms;
  readonly expected: Recording;
  readonly found: Recording;
  readonly comparison: Comparison;
  /** Those that the options ask for. */
  readonly differences: readonly Difference[];
  /** True if there is no readable expectation. */
  readonly isNew: boolean;
  /** False if the capture could be read only in part. */
  readonly isWhole: boolean;
  /** The messages by number, if they are to be written. */
  readonly lines: ReadonlyMap<number, Line>;
}

/** A session that could not be compared. */
export interface UncheckedSession {
  readonly session: RecordedSession;
  /** Why, as a sentence. */
  readonly problem: string;
  /** True if the user has already been told. */
  readonly isReported?: boolean;
}

/** How sessions are checked. */
interface CheckManner {
  /** True if expectations are to be written: messages that do not count are then skipped. */
  readonly isUpdate: boolean;
  /** True if there may be nothing to compare, or to write. */
  readonly allowsEmpty: boolean;
}

/** Compares sessions on behalf of a command. */
export class SessionChecks {
  constructor(
    readonly run: CaptureRun,
    readonly messages: readonly Struct[],
    readonly tuning: Tuning,
    readonly manner: CheckManner,
  ) {}

  /** Reads a session and its expectation, and compares them. */
  async check(session: RecordedSession, kind: ExpectationKind): Promise<CheckedSession | UncheckedSession> {
    const { capture, expectation } = session;
    if (kind === "absent" && !this.manner.isUpdate) {
      const problem = (await whyMissing(capture)) ?? `there is no expectation ${expectation}; check --update writes it`;
      return { session, problem: `${capture}: ${problem}` };
    }
    const forms = new NormalForms(this.messages, this.tuning.leftOut);
    const expected = new Recording(forms);
    let isNew = kind === "absent";
    if (kind === "lines") {
      const problem = await readExpectation(expectation, expected, this.tuning.mayCount, this.run.prepared.io.stdin);
      if (problem !== undefined && !this.manner.isUpdate) return { session, problem };
      if (problem !== undefined) {
        this.run.remark(`${problem}; the file will be rewritten`);
        isNew = true;
      }
    } else if (kind === "capture") {
      const outcome = await this.#read(expectation, expected);
      if (outcome !== "whole")
        return { session, problem: `${expectation}: it could not be read completely`, isReported: true };
    }
    const found = new Recording(forms);
    const lines = new Map<number, Line>();
    const outcome = await this.#read(capture, found, lines);
    if (outcome === "unreadable") return { session, problem: `${capture}: it could not be read`, isReported: true };
    const nothing = this.manner.allowsEmpty ? undefined : this.#nothingIn(session, expected, found);
    if (nothing !== undefined) return { session, problem: nothing };
    this.#remarkOn(capture, found);
    const comparison = compareRecordings(expected, found);
    const { anyOrder } = this.tuning;
    const differences = comparison.differences.filter(({ kind: how }) => !(anyOrder && how === "moved"));
    return { session, forms, expected, found, comparison, differences, isNew, isWhole: outcome === "whole", lines };
  }

  /**
   * Why a session has nothing to compare or to write, if that is so: such a check would pass whatever was captured. A
   * conversation that is expected and missing is a difference.
   */
  #nothingIn({ capture, expectation }: RecordedSession, expected: Recording, found: Recording): string | undefined {
    if (found.messages > 0 || (expected.messages > 0 && !this.manner.isUpdate)) return undefined;
    const why = this.tuning.isSelective
      ? "--only and --ignore leave no message to compare;"
      : "there are no messages to compare; is a dissector or --decode-as missing?";
    const then = this.manner.isUpdate
      ? `${expectation} is not written (--allow-empty writes it)`
      : "--allow-empty lets this pass";
    return `${capture}: ${why} ${then}`;
  }

  #remarkOn(capture: string, found: Recording): void {
    const count = found.opaqueStates;
    if (count === 0) return;
    const were = count === 1 ? "value of an unknown form was" : "values of an unknown form were";
    this.run.remark(
      `${capture}: ${count} ${were} not compared: it is not known which bytes are times (for SDL records, --sdl ` +
        "provides this)",
    );
  }

  async #read(
    capture: string,
    recording: Recording,
    lines?: Map<number, Line>,
  ): Promise<"whole" | "part" | "unreadable"> {
    const undecrypted = new Undecrypted();
    const { tuning, run } = this;
    const { isUpdate } = this.manner;
    const result = await run.read(
      {
        listener: (message) => {
          undecrypted.see(message);
          const counts = tuning.counts(message);
          if (isUpdate && !counts) return;
          const line = parseLine(jsonLine(message, 1));
          recording.add(line, { at: message.number, counts });
          if (isUpdate) lines?.set(message.number, line);
        },
      },
      [capture],
    );
    for (const text of undecrypted.remarks()) run.remark(`${capture}: ${text}`);
    if (isReadable(result) && !run.isInterrupted) return "whole";
    return isUnreadable(result) ? "unreadable" : "part";
  }
}
