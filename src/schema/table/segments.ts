import { fixedSegment, joined, type Layout, layoutOf } from "./fixed-segment.js";
import type { FieldEntry, Segment } from "./struct-table.js";

/** Groups the fields of a struct into segments, in order. */
export function segmentsOf(entries: readonly FieldEntry[]): readonly Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (let first = entries[at]; first !== undefined; first = entries[at]) {
    const layouts: Layout[] = [];
    for (let entry: FieldEntry | undefined = first; entry !== undefined; entry = entries[at + layouts.length]) {
      const layout = isAlike(first, entry) ? layoutOf(entry) : undefined;
      if (layout === undefined) break;
      layouts.push(layout);
    }
    const end = at + Math.max(1, layouts.length);
    segments.push(segmentOf(first, entries.slice(at, end), layouts));
    at = end;
  }
  return segments;
}

function segmentOf(entry: FieldEntry, entries: readonly FieldEntry[], layouts: readonly Layout[]): Segment {
  const { conditions, condition } = entry;
  const layout = joined(layouts);
  // A single node is added just as fast on its own.
  const fixed = layout.nodes.length > 1 ? fixedSegment(layout) : undefined;
  const slots = entries.flatMap(({ slot, exports }) =>
    [slot, ...exports.map(({ to }) => to)].filter((own) => own >= 0),
  );
  return { condition, hasSeveral: conditions.length > 1, fixed, entry, entries, conditions, slots };
}

/** True if two fields are present under the same conditions. */
function isAlike(one: FieldEntry, other: FieldEntry): boolean {
  return (
    one.conditions.length === other.conditions.length &&
    one.conditions.every(({ slot, test, mask, operand }, index) => {
      const its = other.conditions[index];
      return its?.slot === slot && its.test === test && its.mask === mask && its.operand === operand;
    })
  );
}
