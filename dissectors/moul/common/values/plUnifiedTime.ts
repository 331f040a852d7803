import { type FieldTree, microsecondText, secondText, struct, withTwin } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";

/** The time written last: the variables of a state are often saved together. */
const last = { seconds: -1, microseconds: -1, text: "" };

/** A time with microseconds, as text (ISO 8601, UTC). */
function unifiedTimeText(seconds: number, microseconds: number): string {
  if (seconds !== last.seconds || microseconds !== last.microseconds) {
    last.text = newText(seconds, microseconds);
    last.seconds = seconds;
    last.microseconds = microseconds;
  }
  return last.text;
}

/** More than 999,999 microseconds are shown as they are. */
function newText(seconds: number, microseconds: number): string {
  const whole = secondText(seconds);
  if (microseconds > 999_999) return `${whole}Z+${microseconds}us`;
  return `${whole}.${microsecondText(microseconds)}Z`;
}

/** A point in time. Source: specification "plUnifiedTime". */
export const plUnifiedTime = struct(
  "plUnifiedTime",
  {
    seconds: u32.doc("Seconds since 1970."),
    microseconds: u32,
  },
  {
    shownAs: withTwin((nodes: FieldTree, node: number) => {
      const seconds = nodes.numberIn(node, "seconds");
      const microseconds = nodes.numberIn(node, "microseconds");
      return seconds === undefined || microseconds === undefined ? undefined : unifiedTimeText(seconds, microseconds);
    }, "unifiedTime"),
    shownLike: { pattern: /^\d{4}-\d\d-\d\d(T.*)?$/, what: "a time such as 2026-11-20T04:55:07.5Z" },
  },
);
