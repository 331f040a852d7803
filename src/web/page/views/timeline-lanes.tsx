import type { VNode } from "preact";
import type { Lane, TimelineView } from "../../session-api.js";
import { applyFilter } from "../session.js";
import * as state from "../state.js";
import { SLOW, secondsText, VERY_SLOW } from "./timeline-cells.js";
import { AXIS_HEIGHT, HEAD_HEIGHT, LANE_HEIGHT } from "./timeline-drawing.js";

/** The names of the lanes of a time line, each with what is wrong in it. */
export function LaneTitles({ data }: { readonly data: TimelineView | undefined }): VNode {
  return (
    <div class="lane-titles">
      <div class="lane-all" style={{ height: `${HEAD_HEIGHT}px`, paddingTop: `${AXIS_HEIGHT}px` }}>
        All <span class="faint">conversations</span>
      </div>
      {data?.lanes.map((lane) => (
        <LaneTitle key={lane.stream} lane={lane} />
      ))}
      {data !== undefined && data.conversations > data.lanes.length && (
        <p class="hint">
          These are the {data.lanes.length} of {data.conversations} conversations with most messages.
        </p>
      )}
    </div>
  );
}

/** What there is to see, in words. */
export function descriptionOf(lanes: readonly Lane[]): string {
  const troubles = lanes.flatMap((lane) => {
    const found = troubleOf(lane);
    return found.length === 0 ? [] : [`stream ${lane.stream}: ${found.join(", ")}`];
  });
  return [`${lanes.length} conversations over time`, ...troubles].join("; ");
}

function troubleOf({ failed, odd, missing, slowest }: Lane): string[] {
  return [
    failed > 0 ? `${failed} failed` : "",
    odd > 0 ? `${odd} malformed, unknown or encrypted` : "",
    missing > 0 ? `${missing} bytes missing` : "",
    slowest >= SLOW ? `slowest reply ${secondsText(slowest)}` : "",
  ].filter((text) => text !== "");
}

function LaneTitle({ lane }: { readonly lane: Lane }): VNode {
  const { stream, protocol, hue, player, title, messages, failed, odd, missing, slowest } = lane;
  const all = [`${title}: ${messages} messages`, ...troubleOf(lane)].join(", ");
  return (
    <button
      type="button"
      class="lane-title"
      style={{ height: `${LANE_HEIGHT}px` }}
      title={`${all}. Click to list only these.`}
      onClick={() => {
        state.view.value = "messages";
        void applyFilter(`stream == ${stream}`);
      }}
    >
      <span class="who">
        <span class="stream">{stream}</span> <span class={`hue-${hue}`}>{protocol}</span>{" "}
        {player === "" ? <span class="faint">{title}</span> : <strong>{player}</strong>}
      </span>
      {failed > 0 && <span class="sign failed">▼{failed}</span>}
      {odd > 0 && <span class="sign odd">◆{odd}</span>}
      {missing > 0 && <span class="sign missing">⌶{missing} B</span>}
      {slowest >= SLOW && (
        <span class={`sign ${slowest >= VERY_SLOW ? "very-slow" : "slow"}`}>▬{secondsText(slowest)}</span>
      )}
    </button>
  );
}

/** What the signs mean. */
export function Legend(): VNode {
  return (
    <span class="legend">
      <span class="sign failed">▼</span> failed requests <span class="sign odd">◆</span> malformed, unknown, encrypted{" "}
      <span class="sign missing">⌶</span> missing bytes <span class="sign slow">▬</span> replies after 0.1 s{" "}
      <span class="sign very-slow">▬</span> 1 s
    </span>
  );
}
