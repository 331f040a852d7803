import type { VNode } from "preact";
import * as state from "../state.js";

/** Why there is no message in the list; nothing while some may still come. */
export function EmptyList(): VNode | null {
  const progress = state.progress.value;
  const { count, lookedAt } = state.shown.value;
  if (progress === undefined || progress.phase === "reading" || count > 0 || lookedAt < progress.messages) return null;
  const reasons =
    progress.messages > 0 ? ["No message passes the filter."] : ["There are no messages.", ...progress.remarks];
  return (
    <div class="hint">
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </div>
  );
}
