import type { Readable, Writable } from "node:stream";
import type { MaybeTerminal } from "./progress.js";

/** Where the program lives: its streams and environment. */
export interface Surroundings {
  /** Standard input; that of the process unless another one is given. */
  readonly stdin?: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: MaybeTerminal;
  readonly env: NodeJS.ProcessEnv;
}
