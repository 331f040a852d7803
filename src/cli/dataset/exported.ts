import type { CaptureProblem, InternalError } from "../../engine.js";
import type { EndOfRun } from "../../library/end-of-run.js";

/** What became of a capture. */
export interface Exported {
  readonly outcome: "whole" | "partial" | "unreadable" | "failed" | "skipped";
  readonly messages: number;
  /** What is wrong with it, in sentences. */
  readonly problems: readonly string[];
  readonly remarks: readonly string[];
}

/** What is found out about a capture while it is exported. */
export class ExportFindings {
  /** What is wrong with the capture, in sentences. */
  readonly problems: string[] = [];
  /** The same as the remarks at the end have it. */
  readonly #texts: string[] = [];
  #first: number | undefined;
  #hasFailed = false;

  /** When the first packet came, in microseconds since 1970; undefined before. */
  get first(): number | undefined {
    return this.#first;
  }

  /** @param instant in microseconds since 1970 */
  began(instant: number): void {
    this.#first ??= instant;
  }

  readonly onProblem = ({ text, frame, offset }: CaptureProblem): void => {
    this.#texts.push(text);
    this.problems.push(offset > 0 ? `${text} (frame ${frame}, offset ${offset})` : text);
  };

  readonly onInternalError = ({ error }: InternalError): void => {
    this.#hasFailed = true;
    this.problems.push(`internal error: ${String(error)}`);
  };

  /** What became of the capture in the end. */
  outcome({ captures: [read = "unreadable"] }: EndOfRun): Exported["outcome"] {
    if (this.#hasFailed) return "failed";
    return read === "stopped" ? "partial" : read;
  }

  /** The remarks that say something else than the problems do. */
  otherRemarks({ remarks }: EndOfRun): string[] {
    return remarks.filter((remark) => !this.#texts.some((text) => remark.includes(text)));
  }
}
