import {
  compareSessions,
  type Difference,
  type NodeRecording,
  NormalForms,
  parseLine,
  type Recording,
  SessionRecording,
  type Tuning,
} from "../../check/index.js";
import { VaultRecorder } from "../../library/vault-recorder.js";
import { jsonLine } from "../../output/json/json.js";
import { Undecrypted } from "../../remarks/undecrypted.js";
import type { Struct } from "../../schema/language/struct.js";
import { limitsOf } from "../options/limit-option.js";
import type { CaptureRun } from "../run/capture-run.js";
import { whyMissing } from "../run/missing.js";
import { isReadable, isUnreadable } from "../run/verdict.js";
import { readExpectation, type Written } from "./expectation.js";
import { KeptLines } from "./kept-lines.js";
import type { ExpectationKind, RecordedSession } from "./sessions.js";

/** A session that was compared with its expectation. */
export interface CheckedSession extends Written {
  readonly session: RecordedSession;
  readonly differences: readonly Difference[];
  /** True if there is no readable expectation. */
  readonly isNew: boolean;
  /** False if the capture could be read only in part. */
  readonly isWhole: boolean;
  /** False if the expectation is about the vault only. */
  readonly hasMessages: boolean;
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
  /** True if expectations are to be written. */
  readonly isUpdate: boolean;
  /** True if there may be nothing to compare, or to write. */
  readonly allowsEmpty: boolean;
  /** Whether to compare what the vault has become; if undefined, an expectation that has lines about it decides. */
  readonly vault: boolean | undefined;
}

/** What is recorded of a session. */
interface Extent {
  readonly hasMessages: boolean;
  readonly hasVault: boolean;
  /** Where the messages that count are put, if an expectation is to be written. */
  readonly lines?: KeptLines;
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
    const expected = new SessionRecording(forms);
    const wrong = kind === "lines" ? await this.#expect(expectation, expected) : undefined;
    const { isUpdate, allowsEmpty, vault: wanted } = this.manner;
    if (wrong !== undefined) {
      if (!isUpdate) return { session, problem: wrong };
      this.run.remark(`${wrong}; the file will be rewritten`);
    }
    const isNew = kind === "absent" || wrong !== undefined;
    const known = expected.lines;
    const hasVault = wanted ?? known.nodes > 0;
    if (wanted === true && kind === "lines" && known.nodes === 0 && !isUpdate) {
      const problem = `${expectation}: no line of it is about the vault; check --vault --update adds them`;
      return { session, problem };
    }
    // What only the vault is expected of may have any messages.
    const hasMessages = isNew || wanted === false || known.messages > 0 || known.nodes === 0;
    if (kind === "capture") {
      const outcome = await this.#read(expectation, expected, { hasMessages: true, hasVault });
      if (outcome !== "whole")
        return { session, problem: `${expectation}: it could not be read completely`, isReported: true };
    }
    const found = new SessionRecording(forms);
    const lines = new KeptLines();
    const outcome = await this.#read(capture, found, { hasMessages, hasVault, lines });
    if (outcome === "unreadable") return { session, problem: `${capture}: it could not be read`, isReported: true };
    const nothing =
      (hasMessages ? this.#nothingIn(session, expected.messages, found.messages) : undefined) ??
      (hasVault ? this.#noVaultIn(session, expected.nodes, found.nodes) : undefined);
    if (nothing !== undefined && !allowsEmpty) return { session, problem: nothing };
    this.#remarkOn(capture, found.messages);
    const comparison = compareSessions(expected, found, { anyOrder: this.tuning.anyOrder, hasVault });
    const { differences } = comparison;
    const isWhole = outcome === "whole";
    const counts = this.tuning.mayCount;
    return { session, forms, expected, found, comparison, lines, counts, differences, hasMessages, isNew, isWhole };
  }

  /** Reads the lines of an expectation; returns what is wrong with it, if anything. */
  #expect(expectation: string, expected: SessionRecording): Promise<string | undefined> {
    return readExpectation(expectation, expected, this.tuning.mayCount, this.run.prepared.io.stdin);
  }

  /** The same for the vault. */
  #noVaultIn({ capture }: RecordedSession, expected: NodeRecording, found: NodeRecording): string | undefined {
    if (found.size > 0 || (expected.size > 0 && !this.manner.isUpdate)) return undefined;
    return `${capture}: nothing was said about the vault; --allow-empty lets this pass`;
  }

  /**
   * Why a session has nothing to compare or to write, if that is so: such a check would pass whatever was captured. A
   * conversation that is expected and missing is a difference.
   */
  #nothingIn({ capture, expectation }: RecordedSession, expected: Recording, found: Recording): string | undefined {
    const isSomething = this.manner.isUpdate ? found.counting > 0 : found.messages + expected.messages > 0;
    if (isSomething) return undefined;
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
    { messages, nodes }: SessionRecording,
    { hasMessages, hasVault, lines }: Extent,
  ): Promise<"whole" | "part" | "unreadable"> {
    const undecrypted = new Undecrypted();
    const { tuning, run } = this;
    const { isUpdate } = this.manner;
    const { dissectors, options } = run.prepared;
    const vault = hasVault ? new VaultRecorder(dissectors, limitsOf(options)) : undefined;
    const result = await run.read(
      {
        listener: (message) => {
          undecrypted.see(message);
          vault?.take(message);
          const counts = tuning.counts(message);
          if (!hasMessages) return;
          const text = jsonLine(message, 1);
          const isCompared = messages.add(parseLine(text), { at: message.number, counts });
          if (isUpdate && isCompared && counts) lines?.keep(message.number, text);
        },
      },
      [capture],
    );
    vault?.addTo(nodes);
    for (const text of undecrypted.remarks()) run.remark(`${capture}: ${text}`);
    const isCut = vault !== undefined && vault.leftOut > 0;
    if (isCut) run.remark(`${capture}: there are more nodes than --limit stateNodes=N allows: the rest is left out`);
    if (isReadable(result) && !run.isInterrupted) return "whole";
    return isUnreadable(result) ? "unreadable" : "part";
  }
}
