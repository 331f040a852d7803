import type { Readable } from "node:stream";
import type { MaybeTerminal } from "./progress.js";

/** The input and output of the process: its standard streams, and its environment. */
export interface ProcessIo {
  /** Standard input; that of the process unless another one is given. */
  readonly stdin?: Readable;
  readonly stdout: MaybeTerminal;
  readonly stderr: MaybeTerminal;
  readonly env: NodeJS.ProcessEnv;
  /** The module that workers run; without it there are none. */
  readonly worker?: URL;
  /** Called before little is read: optimizing the program would then take longer than it saves. */
  readonly expectShortRun?: () => void;
}

/** True if the user wants messages decoded without compiled code, for comparison. */
export function isInterpreting(env: ProcessIo["env"]): boolean {
  return env["MOUL_DISSECT_INTERPRET"] === "1";
}
