import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { counted } from "../../../common/counted.js";
import type { Progress } from "../../session-api.js";
import * as state from "../state.js";

/** How far the reading is, what passes the filter, and what is odd. */
export function StatusBar(): VNode {
  const [isExpanded, setExpanded] = useState(false);
  const progress = state.progress.value;
  const { count, lookedAt } = state.shown.value;
  const remarks = progress?.remarks ?? [];
  const isSearching = progress !== undefined && lookedAt < progress.messages;
  // The first filter is applied once it has looked at everything.
  const isFiltered = isSearching || state.appliedFilter.value !== "";
  return (
    <footer class="status-bar" data-phase={progress?.phase}>
      {isExpanded && (
        <ul class="remarks">
          {remarks.map((remark) => (
            <li key={remark}>{remark}</li>
          ))}
        </ul>
      )}
      <div class="status-line">
        {progress === undefined ? (
          <span>Nothing leaves this page: captures and keys stay in this tab.</span>
        ) : (
          <>
            <span id="reading">{readingText(progress)}</span>
            <span id="shown" aria-live="polite">
              {isFiltered
                ? `${count} of ${isSearching ? `${lookedAt} (looking at ${progress.messages})` : progress.messages} messages pass`
                : `${counted(progress.messages, "message")} in ${counted(progress.conversations, "conversation")}`}
            </span>
          </>
        )}
        <span class="said" aria-live="polite">
          {state.said.value}
        </span>
        {remarks.length > 0 && (
          <button type="button" class="link" aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
            {counted(remarks.length, "remark")}
          </button>
        )}
        <button
          type="button"
          class="link help-button"
          onClick={() => {
            state.isHelpOpen.value = true;
          }}
        >
          Keys (?)
        </button>
      </div>
    </footer>
  );
}

function readingText({ phase, bytes, totalBytes, captures }: Progress): string {
  if (captures.length === 0) return phase === "reading" ? "reading" : "no capture";
  const name = captures.length === 1 ? (captures[0] ?? "") : `${captures.length} captures`;
  if (phase === "done") return name;
  if (phase === "failed") return `${name}: not readable`;
  if (totalBytes === undefined || totalBytes === 0) return `${name}: reading, ${megabytes(bytes)} so far`;
  return `${name}: reading, ${Math.floor((100 * bytes) / totalBytes)} % of ${megabytes(totalBytes)}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
