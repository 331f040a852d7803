import type { Command } from "commander";
import type { ProcessIo } from "./process-io.js";

/** Runs the program with its command-line arguments; returns the exit code. */
export type Main = (args: readonly string[], io: ProcessIo) => Promise<number>;

/** What a command needs to become part of the program. */
export interface CommandLine {
  readonly program: Command;
  readonly io: ProcessIo;
  /** Called with the exit code of a command that has run. */
  readonly end: (code: number) => void;
  /** Runs the program once more; returns its exit code. */
  readonly main: Main;
}
