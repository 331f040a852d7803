import type { RunResult } from "../../index.js";
import { ExitCode } from "../exit-code.js";

/** How a run went. */
interface RunOutcome {
  readonly results: readonly RunResult[];
  /** Why the output could not be written, as a sentence. */
  readonly unwritten: string | undefined;
  /** True if this program or a dissector has failed. */
  readonly hasCrashed: boolean;
  /** True if the user has named the key files. */
  readonly areKeysNamed: boolean;
  /** True if no more input was wanted: the rest of the captures then does not matter. */
  readonly isOver: boolean;
}

/** An exit code, and the reason for it if that has not been reported yet. */
interface Verdict {
  readonly code: number;
  readonly reason?: string;
  /** True if the reason is among the remarks, which must then be shown. */
  readonly isRemarked?: boolean;
}

/** Judges how a run went. @param code the exit code if nothing went wrong */
export function verdictOn(outcome: RunOutcome, code: number): Verdict {
  const { results, unwritten, hasCrashed, areKeysNamed, isOver } = outcome;
  if (unwritten !== undefined) return { code: ExitCode.input, reason: unwritten };
  if (hasCrashed) return { code: ExitCode.internal };
  const isComplete = ({ keysComplete, definitionsComplete }: RunResult) =>
    (keysComplete || !areKeysNamed) && definitionsComplete;
  if (!results.every(isComplete)) return { code: ExitCode.input, isRemarked: true };
  return { code: isOver || results.every(isReadable) ? code : ExitCode.input };
}

/** True if all captures could be read, as far as was wanted. */
export function isReadable({ captures }: RunResult): boolean {
  return captures.every((outcome) => outcome === "whole" || outcome === "stopped");
}

/** True if nothing of any capture could be read. */
export function isUnreadable({ captures }: RunResult): boolean {
  return captures.every((outcome) => outcome === "unreadable");
}
