import { Opcode } from "../language/opcode.js";
import { type Control, type FieldEntry, type FixedSegment, PLACE } from "./struct-table.js";

/** The nodes of a field or a segment, with offsets from its own start. */
export interface Layout {
  readonly nodes: readonly {
    readonly field: FieldEntry["field"];
    readonly isOutlined: boolean;
    readonly start: number;
    readonly end: number;
    readonly span: number;
  }[];
  readonly controls: readonly Control[];
  readonly width: number;
  readonly depth: number;
}

/** Returns the segment with these nodes. */
export function fixedSegment({ nodes, controls, width, depth }: Layout): FixedSegment {
  return {
    nodes: nodes.map(({ field }) => field),
    ...placed(nodes),
    width,
    depth,
    controls,
    outline: nodes.flatMap(({ isOutlined }, index) => (isOutlined ? [index] : [])),
    starts: Int32Array.from(nodes, ({ start }) => start),
    ends: Int32Array.from(nodes, ({ end }) => end),
    spans: Int32Array.from(nodes, ({ span }) => span),
  };
}

const SHARED = 4096;
let shared = new Int32Array(SHARED);
let taken = 0;

/** Puts the places of nodes into an array that is most likely in the processor's cache, as other segments use it, too. */
function placed(nodes: Layout["nodes"]): Pick<FixedSegment, "places" | "firstPlace"> {
  const count = PLACE * nodes.length;
  if (taken + count > shared.length) {
    shared = new Int32Array(Math.max(SHARED, count));
    taken = 0;
  }
  const firstPlace = taken;
  for (const { start, end, span } of nodes) {
    shared.set([start, end, span], taken);
    taken += PLACE;
  }
  return { places: shared, firstPlace };
}

/** Returns the layout of a field, if its nodes are the same whenever it is present. */
export function layoutOf({ field, isOutlined, width, opcode, slot, table, exports }: FieldEntry): Layout | undefined {
  if (width > 0) {
    const controls = slot < 0 ? [] : [{ opcode, offset: 0, slot }];
    return { nodes: [{ field, isOutlined, start: 0, end: width, span: 1 }], controls, width, depth: 0 };
  }
  if (opcode !== Opcode.Struct || table === undefined || table.bindsNames) return undefined;
  const [segment, ...others] = table.segments;
  if (segment === undefined || segment.conditions.length > 0 || others.length > 0) return undefined;
  const inner = segment.fixed === undefined ? layoutOf(segment.entry) : layoutIn(segment.fixed);
  if (inner === undefined) return undefined;
  const span = inner.nodes.length + 1;
  const controls = inner.controls.flatMap((control) => {
    const copy = exports.find(({ from }) => from === control.slot);
    return copy === undefined ? [] : [{ ...control, slot: copy.to }];
  });
  const nodes = [{ field, isOutlined, start: 0, end: inner.width, span }, ...inner.nodes];
  return { nodes, controls, width: inner.width, depth: inner.depth + 1 };
}

/** Returns the layout that a segment was made from. */
function layoutIn(segment: FixedSegment): Layout {
  const { starts, ends, spans, outline, controls, width, depth } = segment;
  const nodes = segment.nodes.map((field, index) => {
    const isOutlined = outline.includes(index);
    return { field, isOutlined, start: starts[index] ?? 0, end: ends[index] ?? 0, span: spans[index] ?? 1 };
  });
  return { nodes, controls, width, depth };
}

/** Returns the layout of fields that follow each other. */
export function joined(layouts: readonly Layout[]): Layout {
  let width = 0;
  const nodes: Layout["nodes"][number][] = [];
  const controls: Control[] = [];
  for (const layout of layouts) {
    for (const node of layout.nodes) nodes.push({ ...node, start: node.start + width, end: node.end + width });
    for (const control of layout.controls) controls.push({ ...control, offset: control.offset + width });
    width += layout.width;
  }
  return { nodes, controls, width, depth: Math.max(0, ...layouts.map(({ depth }) => depth)) };
}
