import type { Field, SlotCondition } from "../language/field.js";
import { FixedSegment, joined, type Layout, layoutOf } from "./fixed-segment.js";

/** Fields of a struct that follow each other and are present or absent together. */
export class Segment {
  /** The conditions for them to be present. */
  readonly conditions: readonly SlotCondition[];
  /** The first of them. */
  readonly condition: SlotCondition | undefined;
  /** The same with a fixed layout, if they can be decoded at once, given enough bytes. */
  readonly fixed: FixedSegment | undefined;
  /** The first field. Without a fixed layout there is no other. */
  readonly field: Field;
  /**
   * Slots to be set to 0 when the fields are absent, so that later fields do not see a number of an earlier message.
   */
  readonly slots: readonly number[];

  constructor(
    first: Field,
    readonly fields: readonly Field[],
    layouts: readonly Layout[],
  ) {
    this.field = first;
    this.conditions = first.conditions;
    this.condition = first.condition;
    const layout = joined(layouts);
    // A single node is added just as fast on its own.
    this.fixed = layout.nodes.length > 1 ? new FixedSegment(layout) : undefined;
    this.slots = fields.flatMap(({ slot, captures }) =>
      [slot, ...captures.map(({ to }) => to)].filter((own) => own >= 0),
    );
  }
}

/** Groups the fields of a struct into segments, in order. */
export function segmentsOf(fields: readonly Field[]): readonly Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (let first = fields[at]; first !== undefined; first = fields[at]) {
    const layouts: Layout[] = [];
    for (let field: Field | undefined = first; field !== undefined; field = fields[at + layouts.length]) {
      const layout = isAlike(first, field) ? layoutOf(field) : undefined;
      if (layout === undefined) break;
      layouts.push(layout);
    }
    const end = at + Math.max(1, layouts.length);
    segments.push(new Segment(first, fields.slice(at, end), layouts));
    at = end;
  }
  return segments;
}

/** True if two fields are present under the same conditions. */
function isAlike(one: Field, other: Field): boolean {
  return (
    one.conditions.length === other.conditions.length &&
    one.conditions.every(({ slot, test, mask, operand }, index) => {
      const its = other.conditions[index];
      return its?.slot === slot && its.test === test && its.mask === mask && its.operand === operand;
    })
  );
}
