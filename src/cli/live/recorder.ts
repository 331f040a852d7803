import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { CaptureError, type CaptureSource } from "../../capture/source.js";
import {
  interfaceIn,
  type RecordingOptions,
  type RecordingProgram,
  recordingArguments,
  rightsAdvice,
} from "./recording-program.js";

/** Most characters kept of what the program says: it says little. */
const MOST_SAID = 4096;

/** How many packets the machine was too slow for, as dumpcap and tcpdump say it at the end. */
const DROPPED = [/(\d+) packets? dropped by kernel/, /received\/dropped on interface .*: \d+\/(\d+)/];

/** What the programs say where nothing is wrong. */
const CHATTER =
  /^(?:Capturing on|File: |Packets |(?:\w+: )?listening on|\d+ packets|(?:tcpdump: )?(?:WARNING|verbose|data link))/;

/** Is told of a recording. */
interface RecordingListener {
  /** The program has written the header of the file: what comes from now on is recorded. */
  begun(): void;
  /** All that is recorded, before it is read. */
  recorded(bytes: Uint8Array): void;
}

/** Records packets with another program, as a capture that is read while it grows. */
export class Recorder implements CaptureSource {
  readonly name: string;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #exit: Promise<unknown>;
  #said = "";
  #isStopped = false;

  constructor(
    readonly program: RecordingProgram,
    options: RecordingOptions,
    env: NodeJS.ProcessEnv,
    readonly listener: RecordingListener,
  ) {
    this.name = program.name;
    this.#child = spawn(program.path, recordingArguments(program, options), { env, stdio: ["ignore", "pipe", "pipe"] });
    this.#exit = Promise.race([
      once(this.#child, "close"),
      once(this.#child, "error").then(([error]) => this.#hear(error)),
    ]);
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => this.#hear(text));
  }

  #hear(text: unknown): void {
    this.#said = `${this.#said}${String(text)}`.slice(-MOST_SAID);
  }

  /** Ends the recording: what was recorded is still read. */
  stop(): void {
    this.#isStopped = true;
    this.#child.kill("SIGINT");
  }

  /** The interface that the program has taken, where it has said so. */
  get interface(): string | undefined {
    return interfaceIn(this.#said);
  }

  /** How many packets were dropped, once it has ended. */
  get dropped(): number {
    return DROPPED.reduce((sum, pattern) => sum + Number(pattern.exec(this.#said)?.[1] ?? 0), 0);
  }

  async *open(): AsyncGenerator<Uint8Array> {
    let isEmpty = true;
    for await (const chunk of this.#child.stdout) {
      if (!(chunk instanceof Uint8Array)) continue;
      if (isEmpty) this.listener.begun();
      isEmpty = false;
      this.listener.recorded(chunk);
      yield chunk;
    }
    await this.#exit;
    if (this.#isStopped || !(isEmpty || this.#hasFailed)) return;
    throw new CaptureError(this.name, this.#complaint());
  }

  get #hasFailed(): boolean {
    return this.#child.exitCode !== 0 && this.#child.signalCode === null;
  }

  /** Why it has recorded nothing, or nothing more. */
  #complaint(): string {
    const lines = this.#said.split(/\r?\n/).map((line) => line.trim());
    const told = lines.filter((line) => line !== "" && !CHATTER.test(line));
    const named = told.find((line) => line.startsWith(`${this.name}: `));
    const why = (named ?? told[0] ?? "it has ended").replace(`${this.name}: `, "").replace(/\.$/, "");
    const advice = rightsAdvice(this.program, this.#said);
    return advice === undefined ? why : `${why}; ${advice}`;
  }
}
