import { counted } from "../../common/counted.js";
import type { RunResult } from "../../index.js";
import type { OpenRequests } from "../../output/text/open-requests.js";
import { nothingFound } from "../../remarks/packet-kinds.js";
import { PacketRemarks } from "../../remarks/packet-remarks.js";
import { unansweredRemarks } from "../../remarks/unanswered.js";
import { Undecrypted } from "../../remarks/undecrypted.js";
import { isReadable } from "../run/verdict.js";

/** What else there is to know for the remarks on a recording. */
interface RunFacts {
  readonly result: RunResult;
  readonly requests?: OpenRequests | undefined;
  /** True if the recording was read to its end. */
  readonly isWhole: boolean;
  /** True if a terminal shows what passes a filter: it may be mistaken in ways that nothing else shows. */
  readonly isFilterWatched: boolean;
}

/** What is found out while a recording is printed, for remarks at its end. */
export class Findings {
  /** Number of messages, and of those that were printed. */
  seen = 0;
  printed = 0;
  readonly undecrypted = new Undecrypted();
  readonly packets = new PacketRemarks();

  remarks({ result, requests, isWhole, isFilterWatched }: RunFacts): string[] {
    const { seen, printed } = this;
    return [
      ...this.undecrypted.remarks(),
      ...this.packets.remarks(result.packets),
      // Of a capture that was not read to its end, nobody knows.
      ...(requests !== undefined && isWhole ? unansweredRemarks(requests) : []),
      ...(seen === 0 && isReadable(result) ? [nothingFound(result.packets)] : []),
      ...(isFilterWatched && printed === 0 && seen > 0 ? [nonePasses(seen)] : []),
    ];
  }
}

function nonePasses(seen: number): string {
  return `0 of ${counted(seen, "message")} ${seen === 1 ? "passes" : "pass"}`;
}
