import type { Readable } from "node:stream";
import type { MaybeTerminal } from "./progress.js";

/** Where the program lives: its streams and environment. */
export interface Surroundings {
  /** Standard input; that of the process unless another one is given. */
  readonly stdin?: Readable;
  readonly stdout: MaybeTerminal;
  readonly stderr: MaybeTerminal;
  readonly env: NodeJS.ProcessEnv;
  /** The module that helper threads run; without it there are none. */
  readonly helper?: URL;
}
