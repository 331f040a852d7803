import { STANDARD_INPUT } from "../capture/source.js";
import { inOrderOfTime } from "../capture/time-order.js";
import {
  type DissectOptions,
  type Dissector,
  dissectCaptures,
  type InternalError,
  type MessageListener,
  type RunResult,
} from "../index.js";
import { parseDecodeAs } from "../session/decode-as.js";
import { dissectOptionsOf, type RunFiles, withoutPipes } from "./dissect-options.js";
import { ErrorOutput } from "./error-output.js";
import { ExitCode } from "./exit-code.js";
import { reportDissectorError, reportInternalError } from "./internal-error.js";
import { onInterrupt } from "./interrupt.js";
import { discoverKeys } from "./key-discovery.js";
import { type DefinitionOptions, definitionInputs, knownDissectors } from "./known-dissectors.js";
import { type LimitOptions, limitRemarks, limitsOf } from "./limit-option.js";
import type { OutputOptions } from "./output-file.js";
import type { Pager } from "./pager.js";
import { outputOf, printsToTerminal } from "./printing.js";
import { problemText } from "./problem-text.js";
import { Progress, sizesOf } from "./progress.js";
import { say } from "./say.js";
import type { Surroundings } from "./surroundings.js";
import { TextOutput } from "./text-output.js";

/** The options of commands that read captures. */
export interface CaptureRunOptions extends DefinitionOptions, OutputOptions, LimitOptions {
  readonly keys?: readonly string[];
  readonly decodeAs?: readonly string[];
  readonly sdlKey?: string;
  readonly quiet?: boolean;
  /** False for `--no-progress`. */
  readonly progress?: boolean;
}

/** What a run has to know before it begins. */
export interface Preparation {
  /** False if each capture is read by itself: then their order does not count. */
  readonly areOneRecording?: boolean;
  /** Files that the command itself reads: they are not overwritten, either. */
  readonly inputs?: readonly string[];
}

/** What a command wants to know of captures. */
export interface CaptureWork
  extends Pick<
    DissectOptions,
    "network" | "plaintext" | "onSession" | "checksums" | "lengths" | "searchesBehindUnknownEnd"
  > {
  readonly listener: MessageListener | undefined;
  /** Asked between blocks of input; false ends the run. */
  readonly goesOn?: () => boolean | Promise<boolean>;
  /** Called when all is read, and waited for: false if something of it could not be printed, as it has changed. */
  readonly finish?: () => Promise<boolean> | undefined;
  /** True if Ctrl-C ends the input, not the program: there is something to say at the end. */
  readonly endsAtInterrupt?: boolean;
  /** True if the captures have been read before: their problems and remarks have been printed. */
  readonly isRepeat?: boolean;
}

/** A run over captures on behalf of a command: keys, dissectors, remarks, progress, pager, exit code. */
export class CaptureRun {
  readonly #stderr: ErrorOutput;
  #output: TextOutput;
  #pager: Pager | undefined;
  /** Remarks held back by `--quiet`: printed only if they explain the exit code. */
  readonly #hushed: string[] = [];
  #crashed = false;
  #isOver = false;
  #isIncomplete = false;
  readonly #results: RunResult[] = [];
  /** Key files of which it has been said who can read them: `check` reads twice. */
  readonly #remarkedKeys = new Set<string>();

  private constructor(
    /** In the order in which they are read. */
    readonly captures: readonly string[],
    readonly options: CaptureRunOptions,
    readonly surroundings: Surroundings,
    readonly loaded: readonly Dissector[],
    /** All dissectors, in the order in which they are asked. */
    readonly dissectors: readonly Dissector[],
    readonly keys: readonly string[],
    /** These and the definitions, as they are read. */
    readonly files: RunFiles,
    /** Files that have to stay as they are. */
    readonly inputs: readonly string[],
    output: TextOutput,
    readonly progress: Progress | undefined,
  ) {
    this.#output = output;
    this.#stderr = new ErrorOutput(surroundings.stderr);
    this.#stderr.progress = progress;
  }

  /**
   * Makes what a run needs.
   *
   * @throws UsageError, DissectorModuleError or DecodeAsError if the options make no sense
   */
  static async prepare(
    captures: readonly string[],
    options: CaptureRunOptions,
    surroundings: Surroundings,
    { areOneRecording = true, inputs: others = [] }: Preparation = {},
  ): Promise<CaptureRun> {
    const { stderr, env } = surroundings;
    const { loaded, all } = await knownDissectors(options);
    for (const rule of options.decodeAs ?? []) parseDecodeAs(rule, all);
    const keys = options.keys ?? (await discoverKeys(captures, env));
    const inputs = [...captures, ...keys, ...(await definitionInputs(options, all)), ...others];
    const output = await outputOf(options, surroundings, inputs);
    const files = { keys: await withoutPipes(keys), definitions: await withoutPipes(options.sdl ?? []) };
    const isTold = stderr.isTTY === true && options.progress !== false && options.quiet !== true;
    const ordered = areOneRecording ? await inOrderOfTime(captures, limitsOf(options)) : captures;
    const progress = isTold ? new Progress(stderr, await sizesOf(ordered)) : undefined;
    return new CaptureRun(ordered, options, surroundings, loaded, all, keys, files, inputs, output, progress);
  }

  /** Where what is found is printed. */
  get output(): TextOutput {
    return this.#output;
  }

  /** Prints page by page. What there is to say on standard error waits until the user has left the pager. */
  printThrough(pager: Pager): void {
    this.#pager = pager;
    this.#output = TextOutput.on(pager.input, { isOwn: true });
    this.#stderr.hold();
  }

  /** True if what is printed goes to a terminal. */
  get isTerminal(): boolean {
    return printsToTerminal(this.options, this.surroundings);
  }

  /** How many columns a line of output may have: no limit, unless it goes to a terminal. */
  get columns(): number {
    return this.isTerminal ? (this.surroundings.stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  }

  /** True once the reader of the output has gone: more input is of no use then. */
  get #isUnread(): boolean {
    return this.#output.closed || this.#pager?.isClosed === true;
  }

  /** Says something on standard error. */
  say(text: string): void {
    say(this.#stderr, text);
  }

  /** Prints a remark, unless `--quiet` holds it back. */
  remark(text: string): void {
    if (this.options.quiet) this.#hushed.push(text);
    else this.say(text);
  }

  /** Tells of an error of this program or of a dissector. */
  readonly onInternalError = ({ error, dissector, stream, direction, offset }: InternalError): void => {
    this.#crashed = true;
    const where = ` in stream ${stream}, ${direction}, offset ${offset}`;
    const isLoaded = this.loaded.some(({ name }) => name === dissector);
    if (isLoaded) reportDissectorError(this.#stderr, dissector, where, error);
    else reportInternalError(this.#stderr, where, error);
  };

  /** True once the user has had enough: nothing that is wrong with the input is worth a word then. */
  get isInterrupted(): boolean {
    return this.#isOver;
  }

  /** Reads the captures, as one continuing recording; or only some of them. */
  async read(work: CaptureWork, captures = this.captures): Promise<RunResult> {
    try {
      return await this.#watched(work, captures);
    } catch (error) {
      await this.output.discard();
      throw error;
    }
  }

  async #watched(work: CaptureWork, captures: readonly string[]): Promise<RunResult> {
    // A file that is written would be lost with the program.
    if (work.endsAtInterrupt !== true && this.options.output === undefined) return this.#read(work, captures);
    const unwatch = onInterrupt(this.captures.includes(STANDARD_INPUT), () => {
      this.#isOver = true;
    });
    try {
      return await this.#read(work, captures);
    } finally {
      unwatch();
    }
  }

  async #read(
    { listener, goesOn = () => true, finish, isRepeat = false, ...wanted }: CaptureWork,
    captures: readonly string[],
  ): Promise<RunResult> {
    const { options, loaded, files, output } = this;
    const result = await dissectCaptures(
      captures,
      {
        ...dissectOptionsOf(options, files, loaded),
        ...wanted,
        onProblem: (problem) => {
          if (!isRepeat && !this.#isOver && !this.#isUnread) this.say(problemText(problem));
        },
        onRemark: (text) => {
          if (!isRepeat) this.remark(text);
        },
        onInternalError: this.onInternalError,
      },
      listener,
      async (place) => {
        this.progress?.reached(place);
        // The reader of a live capture wants to see each message at once.
        output.flush();
        await output.drained();
        return !this.#isUnread && !this.#isOver && (await goesOn());
      },
    );
    if (!this.#isUnread) this.#isIncomplete = (await finish?.()) === false && !this.#isOver;
    this.progress?.clear();
    if (!isRepeat) {
      for (const text of limitRemarks(result.packets.limits, options.limit)) this.remark(text);
      for (const path of result.keysExposed) this.#exposed(path);
    }
    if (this.#isUnread) this.#isOver = true;
    this.#results.push(result);
    return result;
  }

  /** A key file that was found beside its capture is shared with it; of one from elsewhere its owner should know. */
  #exposed(path: string): void {
    if (this.options.keys?.includes(path) !== true || this.#remarkedKeys.has(path)) return;
    this.#remarkedKeys.add(path);
    this.remark(`${path}: everybody on this machine can read these private keys; "chmod o-r" keeps them from others`);
  }

  /** Writes out what is left; gives the exit code: `verdict`, if nothing went wrong. */
  async finish(verdict: number = ExitCode.done): Promise<number> {
    const { output, options } = this;
    const outcomes = this.#results.flatMap(({ captures }) => captures);
    const hasInput = outcomes.length === 0 || outcomes.some((outcome) => outcome !== "unreadable");
    await (hasInput ? output.end() : output.endWithoutInput());
    const pagerProblem = await this.#pager?.closed;
    this.#stderr.release();
    const problem = pagerProblem ?? output.failure;
    if (problem !== undefined) {
      this.say(problem);
      return ExitCode.input;
    }
    if (this.#crashed) return ExitCode.internal;
    if (this.#isIncomplete) {
      this.say("a capture has changed while it was read: what is printed is not all of it");
      return ExitCode.input;
    }
    const keysComplete = this.#results.every((result) => result.keysComplete);
    const definitionsComplete = this.#results.every((result) => result.definitionsComplete);
    if ((options.keys !== undefined && !keysComplete) || !definitionsComplete) {
      // Why the exit code is what it is has to be told.
      for (const text of this.#hushed) this.say(text);
      return ExitCode.input;
    }
    return this.#isOver || this.#results.every(isReadable) ? verdict : ExitCode.input;
  }
}

/** True if all captures could be read, as far as was wanted. */
export function isReadable({ captures }: RunResult): boolean {
  return captures.every((outcome) => outcome === "whole" || outcome === "stopped");
}
