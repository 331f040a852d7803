import type { CaptureProblem } from "../capture/packet.js";
import type { Message } from "../dissect/message.js";
import type { InternalError } from "../dissector/failure.js";
import { defaultLimits } from "../limits.js";
import { printable } from "../output/writers/sanitise.js";
import type { EngineOptions } from "../pipeline/options.js";
import type { RunResult } from "../pipeline/run.js";
import { limitRemarks } from "../remarks/limit-remarks.js";
import { nothingFound } from "../remarks/packet-kinds.js";
import { strayPacketRemarks } from "../remarks/stray-packets.js";
import { Undecrypted } from "../remarks/undecrypted.js";

/** How a run ended. */
export interface EndOfRun extends RunResult {
  /** How many messages there were, whether they passed a filter or not. */
  readonly messages: number;
  /**
   * What could not be read or understood, and why: sentences as the command line prints them, without secrets. Empty if
   * there is nothing to say.
   */
  readonly remarks: readonly string[];
}

/** Gathers what has to be said at the end of a run. */
export class RunWatch {
  readonly #said: string[] = [];
  readonly #undecrypted = new Undecrypted();
  #messages = 0;

  constructor(readonly options: Pick<EngineOptions, "limits" | "onProblem" | "onRemark" | "onInternalError">) {}

  /** The options with which a run tells this as well. */
  get hooks(): Pick<EngineOptions, "onProblem" | "onRemark" | "onInternalError"> {
    const { onProblem, onRemark, onInternalError } = this.options;
    return {
      onInternalError: (failure) => {
        this.#said.push(failureText(failure));
        onInternalError?.(failure);
      },
      onProblem: (problem) => {
        this.#said.push(problemText(problem));
        onProblem?.(problem);
      },
      onRemark: (remark) => {
        this.#said.push(remark);
        onRemark?.(remark);
      },
    };
  }

  /** Takes every message. */
  see(message: Message): void {
    this.#messages++;
    this.#undecrypted.see(message);
  }

  /** @param isDissected false if no messages were asked for */
  end(result: RunResult, isDissected: boolean): EndOfRun {
    const { packets, captures } = result;
    const isRead = captures.every((outcome) => outcome === "whole");
    const isNothing = isDissected && isRead && this.#messages === 0;
    const remarks = [
      ...this.#said,
      ...limitRemarks(packets.limits, { ...defaultLimits, ...this.options.limits }),
      ...strayPacketRemarks(packets),
      ...this.#undecrypted.remarks(),
      ...(isNothing ? [nothingFound(packets)] : []),
    ];
    return { ...result, messages: this.#messages, remarks };
  }
}

/** What is wrong with a capture, as a sentence that begins with its name. */
export function problemText({ file, frame, offset, text }: CaptureProblem): string {
  return offset === 0 ? `${file}: ${text}` : `${file}: ${text} (frame ${frame}, offset ${offset})`;
}

/** What has failed, and where. What was thrown may quote secrets. */
function failureText({ error, dissector, stream, direction, offset }: InternalError): string {
  const kind = error instanceof Error ? error.name : typeof error;
  return `the dissector "${printable(dissector)}" failed in stream ${stream}, ${direction}, offset ${offset} (${printable(kind)})`;
}
