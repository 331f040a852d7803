import type { VNode } from "preact";
import * as state from "../state.js";

/** Why there is no message in the list; nothing while it is being found out. */
export function EmptyList(): VNode | null {
  const progress = state.progress.value;
  const { count, lookedAt } = state.shown.value;
  const isReading = progress?.phase === "reading";
  if (progress === undefined || count > 0 || lookedAt < progress.messages) return null;
  if (isReading && !state.isLive.value) return null;
  const reasons =
    progress.messages > 0
      ? [isReading ? "No message passes the filter so far." : "No message passes the filter."]
      : [isReading ? "There are no messages so far." : "There are no messages.", ...progress.remarks];
  return (
    <div class="hint">
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </div>
  );
}
