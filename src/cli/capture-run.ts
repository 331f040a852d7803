import { createWriteStream } from "node:fs";
import {
  type DissectOptions,
  type Dissector,
  dissectCaptures,
  type MessageListener,
  type RunResult,
} from "../index.js";
import { printable } from "../output/sanitise.js";
import { problemText, type Surroundings } from "./dissect-command.js";
import { type DissectorOptions, decodeAsProblem, knownDissectors } from "./dissector-options.js";
import { ExitCode } from "./exit-code.js";
import { reportDissectorError, reportInternalError } from "./internal-error.js";
import { discoverKeys } from "./key-discovery.js";
import { overwritten } from "./overwriting.js";
import { Progress, sizesOf } from "./progress.js";
import { sdlKeys } from "./sdl-key.js";
import { TextOutput } from "./text-output.js";

/** The options of commands that read captures and print once they have seen them. */
export interface CaptureRunOptions extends DissectorOptions {
  readonly keys?: readonly string[];
  readonly decodeAs?: readonly string[];
  readonly sdl?: readonly string[];
  readonly sdlKey?: string;
  readonly output?: string;
  readonly color: "auto" | "always" | "never";
  readonly quiet?: boolean;
  /** False for `--no-progress`. */
  readonly progress?: boolean;
}

/** What a command wants to know of captures. */
export interface CaptureWork extends Pick<DissectOptions, "network" | "onSession"> {
  readonly listener: MessageListener;
  /** Asked between blocks of input; false ends the run. */
  readonly goesOn?: () => boolean;
}

/** A run over captures on behalf of a command: keys, dissectors, remarks, progress, exit code. */
export class CaptureRun {
  #crashed = false;
  #isOver = false;
  #result: RunResult | undefined;

  private constructor(
    readonly captures: readonly string[],
    readonly options: CaptureRunOptions,
    readonly surroundings: Surroundings,
    readonly loaded: readonly Dissector[],
    /** All dissectors, in the order in which they are asked. */
    readonly dissectors: readonly Dissector[],
    readonly keys: readonly string[],
    readonly progress: Progress | undefined,
    readonly output: TextOutput,
  ) {}

  /** Makes what a run needs; gives a sentence if the options make no sense. */
  static async prepare(
    captures: readonly string[],
    options: CaptureRunOptions,
    surroundings: Surroundings,
  ): Promise<CaptureRun | string> {
    const { stdout, stderr, env } = surroundings;
    const known = await knownDissectors(options);
    if (typeof known === "string") return known;
    const misuse = decodeAsProblem(options.decodeAs ?? [], known.all);
    if (misuse !== undefined) return misuse;
    const keys = options.keys ?? (await discoverKeys(captures, env));
    if (options.output !== undefined) {
      const lost = await overwritten(options.output, [...captures, ...keys, ...(options.sdl ?? [])]);
      if (lost !== undefined) return `${options.output}: this is the input ${lost}, which would be overwritten`;
    }
    const isTold = stderr.isTTY === true && options.progress !== false && options.quiet !== true;
    const progress = isTold ? new Progress(stderr, await sizesOf(captures)) : undefined;
    const output =
      options.output === undefined ? new TextOutput(stdout) : new TextOutput(createWriteStream(options.output), true);
    return new CaptureRun(captures, options, surroundings, known.loaded, known.all, keys, progress, output);
  }

  /** True if what is printed goes to a terminal. */
  get isTerminal(): boolean {
    return this.options.output === undefined && this.surroundings.stdout.isTTY === true;
  }

  /** Says something on standard error. */
  say(text: string): void {
    this.progress?.clear();
    this.surroundings.stderr.write(`moul-dissect: ${printable(text)}\n`);
  }

  /** Says something that `--quiet` wants to be spared. */
  remark(text: string): void {
    if (!this.options.quiet) this.say(text);
  }

  /** From now on nothing that is wrong with the input is worth a word: the user has had enough of it. */
  leaveOff(): void {
    this.#isOver = true;
  }

  /** Reads the captures. */
  async read({ listener, network, onSession, goesOn = () => true }: CaptureWork): Promise<RunResult> {
    const { captures, options, loaded, keys, output, surroundings } = this;
    const result = await dissectCaptures(
      captures,
      {
        keys: [...keys, ...sdlKeys(options)],
        definitions: options.sdl ?? [],
        dissectors: loaded,
        decodeAs: options.decodeAs ?? [],
        ...(network && { network }),
        ...(onSession && { onSession }),
        onProblem: (problem) => {
          if (!this.#isOver) this.say(problemText(problem));
        },
        onRemark: (text) => this.remark(text),
        onInternalError: ({ error, dissector, stream, direction, offset }) => {
          this.#crashed = true;
          this.progress?.clear();
          const where = ` in stream ${stream}, ${direction}, offset ${offset}`;
          const isLoaded = loaded.some(({ name }) => name === dissector);
          if (isLoaded) reportDissectorError(surroundings.stderr, dissector, where, error);
          else reportInternalError(surroundings.stderr, where, error);
        },
      },
      listener,
      async (place) => {
        this.progress?.reached(place);
        output.flush();
        await output.drained();
        return !output.closed && !this.#isOver && goesOn();
      },
    );
    this.progress?.clear();
    this.#result = result;
    return result;
  }

  /** Writes out what is left; gives the exit code. */
  async finish(): Promise<number> {
    const { output, options } = this;
    await output.end();
    if (output.failure !== undefined) {
      this.say(`the output cannot be written: ${output.failure.message}`);
      return ExitCode.input;
    }
    if (this.#crashed) return ExitCode.internal;
    const result = this.#result;
    if (result === undefined) return ExitCode.done;
    const isReadable = this.#isOver || result.captures.every((outcome) => outcome === "whole" || outcome === "stopped");
    const isComplete = (options.keys === undefined || result.keysComplete) && result.definitionsComplete;
    return isReadable && isComplete ? ExitCode.done : ExitCode.input;
  }
}
