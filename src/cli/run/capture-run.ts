import type { CaptureSource } from "../../capture/source.js";
import type { CaptureProblem, InternalError, MessageListener, RunResult } from "../../index.js";
import type { EngineOptions, RunHooks } from "../../pipeline/options.js";
import { runCaptures } from "../../pipeline/run.js";
import { captureAt, captureName, STANDARD_INPUT } from "../../platform/node/capture-file.js";
import { limitRemarks } from "../../remarks/limit-remarks.js";
import { strayPacketRemarks } from "../../remarks/stray-packets.js";
import { ExitCode } from "../exit-code.js";
import { limitsOf } from "../options/limit-option.js";
import { isInterpreting, type ProcessIo } from "../process-io.js";
import type { Pager } from "../writing/pager.js";
import { printsToFile, printsToTerminal } from "../writing/printing.js";
import { TextOutput } from "../writing/text-output.js";
import { dissectOptionsOf } from "./dissect-options.js";
import { onInterrupt } from "./interrupt.js";
import { missingAmong } from "./missing.js";
import type { CaptureRunOptions } from "./options.js";
import { PREBUILT_SKIMS, usePrebuiltSkims } from "./prebuilt-skims.js";
import { type Preparation, type PreparedRun, prepareRun } from "./preparation.js";
import { RunRemarks } from "./remarks.js";
import { isUnreadable, verdictOn } from "./verdict.js";

/** What a command wants to know from captures. */
interface CaptureWork
  extends Pick<EngineOptions, "network" | "onClockSetBack" | "checksums">,
    Pick<RunHooks, "onName" | "searchesAfterUnknownEnd" | "order" | "skims" | "answeredBy" | "share"> {
  readonly listener: MessageListener | undefined;
  /** What is read in place of the captures that the user has named. */
  readonly source?: CaptureSource;
  /**
   * How many bytes of each capture to read, for files that are still growing; by default, all that exist at the time of
   * reading.
   */
  readonly lengths?: readonly number[];
  /** Called between blocks of input; false ends the run. */
  readonly goesOn?: () => boolean | Promise<boolean>;
  /** Called and awaited at the end of the input. */
  readonly finish?: () => Promise<void> | undefined;
  /** True if Ctrl-C ends the input, not the program: there is something to print at the end. */
  readonly endsAtInterrupt?: boolean;
  /** Called at Ctrl-C: a source may bring nothing for a long time. */
  readonly interrupt?: () => void;
  /** Which of the user's captures it is, where each is read as a recording of its own. */
  readonly alone?: number;
  /** True if the captures have been read before, and their problems and remarks printed. */
  readonly isRepeat?: boolean;
  /** Asked at the end: false if the captures have to be read again, so that nothing is said of them yet. */
  readonly isValid?: () => boolean;
}

/** A run over captures on behalf of a command: reads them, prints what is found, and returns the exit code. */
export class CaptureRun {
  readonly #remarks: RunRemarks;
  #output: TextOutput;
  #pager: Pager | undefined;
  #hasCrashed = false;
  #isOver = false;
  /** True if no file is to be written, as there is nothing to be in it. */
  #isLeftOut = false;
  readonly #results: RunResult[] = [];

  private constructor(
    /** What was known before the run began. A pager may have taken the place of its output. */
    readonly prepared: PreparedRun,
  ) {
    this.#remarks = new RunRemarks(prepared);
    this.#output = prepared.output;
  }

  /** @throws UsageError, DissectorModuleError or DecodeAsError if the options make no sense */
  static async prepare(
    captures: readonly string[],
    options: CaptureRunOptions,
    io: ProcessIo,
    preparation: Preparation = {},
  ): Promise<CaptureRun> {
    return new CaptureRun(await prepareRun(captures, options, io, preparation));
  }

  /** Where the results are printed. */
  get output(): TextOutput {
    return this.#output;
  }

  /** Prints page by page. Anything for standard error waits until the user has quit the pager. */
  printThrough(pager: Pager): void {
    this.#pager = pager;
    this.#output = TextOutput.on(pager.input, { isOwn: true });
    this.#remarks.hold();
  }

  /** The most columns in a line of output: no limit, unless it goes to a terminal. One of unknown size says 0. */
  get columns(): number {
    const { options, io } = this.prepared;
    return printsToTerminal(options, io) ? io.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  }

  /** Says something on standard error. */
  say(text: string): void {
    this.#remarks.say(text);
  }

  /** Says something on standard error, unless `--quiet` holds it back. */
  remark(text: string): void {
    this.#remarks.remark(text);
  }

  /** Reports an error in this program or in a dissector. */
  readonly onInternalError = (error: InternalError): void => {
    this.#hasCrashed = true;
    this.#remarks.internalError(error);
  };

  /** True once the user has had enough: problems with the input are then not worth a remark. */
  get isInterrupted(): boolean {
    return this.#isOver;
  }

  /** True once the reader of the output has gone: there is no point in reading on. */
  get #isUnread(): boolean {
    return this.#output.closed || this.#pager?.isClosed === true;
  }

  /** Reads the captures, or only some of them, as one continuous recording. */
  async read(work: CaptureWork, captures = this.prepared.captures): Promise<RunResult> {
    try {
      return await this.#watched(work, captures);
    } catch (error) {
      await this.output.discard();
      throw error;
    }
  }

  async #watched(work: CaptureWork, captures: readonly string[]): Promise<RunResult> {
    // If the program ended, the file that is being written would be lost.
    if (work.endsAtInterrupt !== true && this.prepared.options.output === undefined) return this.#read(work, captures);
    const unwatch = onInterrupt(() => {
      this.#isOver = true;
      work.interrupt?.();
      // It may bring nothing for a long time.
      if (this.prepared.captures.includes(STANDARD_INPUT)) (this.prepared.io.stdin ?? process.stdin).destroy();
    });
    try {
      return await this.#read(work, captures);
    } finally {
      unwatch();
    }
  }

  async #read(
    {
      listener,
      goesOn = () => true,
      finish,
      isRepeat = false,
      isValid,
      lengths = [],
      source,
      alone,
      skims = false,
      ...wanted
    }: CaptureWork,
    captures: readonly string[],
  ): Promise<RunResult> {
    const { options, files, loaded, progress, io } = this.prepared;
    const { output } = this;
    if (skims !== false) await usePrebuiltSkims(io.worker && new URL(PREBUILT_SKIMS, io.worker));
    const told: (() => void)[] = [];
    const tell = (act: () => void) => (isValid === undefined ? act() : void told.push(act));
    const report = (problem: CaptureProblem) => {
      if (!isRepeat && !this.#isOver && !this.#isUnread) tell(() => this.say(problemText(problem)));
    };
    // Reading may end before their turn comes.
    const missing = await missingAmong(captures);
    for (const problem of missing) report(problem);
    const read = await runCaptures(
      source === undefined ? captures.map((path, index) => captureAt(path, lengths[index], io.stdin)) : [source],
      {
        ...dissectOptionsOf(options, files, loaded),
        ...wanted,
        ...(alone !== undefined && { firstCapture: alone }),
        // For comparison: everything is decoded.
        skims: !isInterpreting(io.env) && skims,
        onProblem: (problem) => {
          if (!missing.some(({ file }) => file === problem.file)) report(problem);
        },
        onRemark: (text) => {
          if (!isRepeat) tell(() => this.remark(text));
        },
        onInternalError: (error) => tell(() => this.onInternalError(error)),
        isFull: () => output.isFull,
      },
      listener,
      async (place) => {
        if (alone === undefined) progress?.reached(place);
        else progress?.reachedIn(captureName(captures[0] ?? ""), { ...place, capture: alone });
        // The reader of a live capture wants to see each message at once.
        output.flush();
        await output.drained();
        return !this.#isUnread && !this.#isOver && (await goesOn());
      },
    );
    // One that was reached is counted twice, which changes nothing.
    const result: RunResult = { ...read, captures: [...read.captures, ...missing.map(() => "unreadable" as const)] };
    if (!this.#isUnread) await finish?.();
    progress?.clear();
    if (isValid?.() === false) return result;
    for (const act of told) act();
    if (!isRepeat) this.#remarkOn(result);
    if (this.#isUnread) this.#isOver = true;
    this.#results.push(result);
    return result;
  }

  #remarkOn({ packets, keysExposed }: RunResult): void {
    const { options } = this.prepared;
    for (const text of limitRemarks(packets.limits, limitsOf(options))) this.remark(text);
    for (const text of strayPacketRemarks(packets)) this.remark(text);
    for (const path of keysExposed) {
      // Only a file named with --keys: one that was found beside its capture is shared with it.
      if (options.keys?.includes(path) !== true) continue;
      const advice = '"chmod o-r" prevents this';
      this.#remarks.remarkOnce(`${path}: everyone on this machine can read these private keys; ${advice}`);
    }
  }

  /**
   * Ends a run that has nothing to write. A file is not written then, which is said even with `--quiet`: what has its
   * name may be the result of another run. The reader of standard output or a pipe gets what `empty` writes.
   *
   * @param why there is nothing, to follow a colon
   */
  async finishWithNothing(why: string, empty: () => void): Promise<number> {
    const text = `there is nothing to write: ${why}`;
    if (await printsToFile(this.prepared.options)) {
      this.say(`${text}; ${this.prepared.options.output} is not written`);
      this.#isLeftOut = true;
      return this.finish();
    }
    this.remark(text);
    empty();
    return this.finish();
  }

  /** Writes the rest of the output; returns the exit code: `code` if nothing went wrong. */
  async finish(code: number = ExitCode.done): Promise<number> {
    const { output } = this;
    const isWithoutInput = this.#results.length > 0 && this.#results.every(isUnreadable);
    await (isWithoutInput || this.#isLeftOut ? output.endWithoutInput() : output.end());
    const pagerProblem = await this.#pager?.closed;
    this.#remarks.release();
    const verdict = verdictOn(
      {
        results: this.#results,
        unwritten: pagerProblem ?? output.failure,
        hasCrashed: this.#hasCrashed,
        areKeysNamed: this.prepared.options.keys !== undefined,
        isOver: this.#isOver,
      },
      code,
    );
    if (verdict.reason !== undefined) this.say(verdict.reason);
    if (verdict.isRemarked) this.#remarks.explain();
    return verdict.code;
  }
}

/** What is wrong with a capture, as a sentence that begins with its name. */
function problemText({ file, frame, offset, text }: CaptureProblem): string {
  return offset === 0 ? `${file}: ${text}` : `${file}: ${text} (frame ${frame}, offset ${offset})`;
}
