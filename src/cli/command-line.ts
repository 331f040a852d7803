import type { Command } from "commander";
import type { ProcessIo } from "./process-io.js";

/** What a command needs to become part of the program. */
export interface CommandLine {
  readonly program: Command;
  readonly io: ProcessIo;
  /** Called with the exit code of a command that has run. */
  readonly end: (code: number) => void;
}
