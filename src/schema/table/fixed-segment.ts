import type { Field } from "../language/field.js";
import { Opcode } from "../language/opcode.js";

/** A number in a segment that later fields use. */
interface Control {
  readonly opcode: Opcode;
  /** Offset from the start of the segment. */
  readonly offset: number;
  readonly slot: number;
}

/**
 * Fields of a struct that always follow each other and have known widths, down to the structs among them. The places of
 * their nodes are known before there are any bytes, so the decoder adds all of them at once.
 */
export class FixedSegment {
  /** The field of each node. */
  readonly nodes: readonly Field[];
  /** Offsets of each node's first byte, and after its last one, from the start of the segment. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** For each node, the distance in nodes to the next one that is not below it. */
  readonly spans: Int32Array;
  /** Which of the nodes are in the outline of a message. */
  readonly outline: readonly number[];
  readonly controls: readonly Control[];
  /** Number of bytes. */
  readonly width: number;
  /** Number of levels of structs in it. */
  readonly depth: number;

  constructor(layout: Layout) {
    this.nodes = layout.nodes.map(({ field }) => field);
    this.starts = Int32Array.from(layout.nodes, ({ start }) => start);
    this.ends = Int32Array.from(layout.nodes, ({ end }) => end);
    this.spans = Int32Array.from(layout.nodes, ({ span }) => span);
    this.outline = layout.nodes.flatMap(({ field }, index) => (field.isOutlined ? [index] : []));
    this.controls = layout.controls;
    this.width = layout.width;
    this.depth = layout.depth;
  }
}

/** The nodes of a field or a segment, with offsets from its own start. */
export interface Layout {
  readonly nodes: readonly {
    readonly field: Field;
    readonly start: number;
    readonly end: number;
    readonly span: number;
  }[];
  readonly controls: readonly Control[];
  readonly width: number;
  readonly depth: number;
}

/** Returns the layout of a field, if its nodes are the same whenever it is present. */
export function layoutOf(field: Field): Layout | undefined {
  const { width, opcode, slot, struct } = field;
  if (width > 0) {
    const controls = slot < 0 ? [] : [{ opcode, offset: 0, slot }];
    return { nodes: [{ field, start: 0, end: width, span: 1 }], controls, width, depth: 0 };
  }
  if (opcode !== Opcode.Struct || struct === undefined || struct.introduces !== undefined) return undefined;
  const [segment, ...others] = struct.segments;
  if (segment === undefined || segment.conditions.length > 0 || others.length > 0) return undefined;
  const inner = segment.fixed === undefined ? layoutOf(segment.field) : layoutIn(segment.fixed);
  if (inner === undefined) return undefined;
  const span = inner.nodes.length + 1;
  const controls = inner.controls.flatMap((control) => {
    const capture = field.captures.find(({ from }) => from === control.slot);
    return capture === undefined ? [] : [{ ...control, slot: capture.to }];
  });
  const nodes = [{ field, start: 0, end: inner.width, span }, ...inner.nodes];
  return { nodes, controls, width: inner.width, depth: inner.depth + 1 };
}

/** Returns the layout that a segment was made from. */
function layoutIn(segment: FixedSegment): Layout {
  const { starts, ends, spans, controls, width, depth } = segment;
  const nodes = segment.nodes.map((field, index) => {
    return { field, start: starts[index] ?? 0, end: ends[index] ?? 0, span: spans[index] ?? 1 };
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
