import type { Field } from "../language/field.js";
import { Opcode } from "../language/opcode.js";

/** A number in a run that later fields use. */
interface Control {
  readonly opcode: Opcode;
  /** Offset from the start of the run. */
  readonly offset: number;
  readonly slot: number;
}

/**
 * Fields of a struct that always follow each other and have known widths, down to the structs among them. The places of
 * their nodes are known before there are any bytes, so the decoder adds all of them at once.
 */
export class Run {
  /** The field of each node. */
  readonly nodes: readonly Field[];
  /** Offsets of each node's first byte, and after its last one, from the start of the run. */
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
    this.nodes = layout.rows.map(({ field }) => field);
    this.starts = Int32Array.from(layout.rows, ({ start }) => start);
    this.ends = Int32Array.from(layout.rows, ({ end }) => end);
    this.spans = Int32Array.from(layout.rows, ({ span }) => span);
    this.outline = layout.rows.flatMap(({ field }, index) => (field.isOutlined ? [index] : []));
    this.controls = layout.controls;
    this.width = layout.width;
    this.depth = layout.depth;
  }
}

/** The nodes of a field or a run, with offsets from its own start. */
export interface Layout {
  readonly rows: readonly {
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
    return { rows: [{ field, start: 0, end: width, span: 1 }], controls, width, depth: 0 };
  }
  if (opcode !== Opcode.Struct || struct === undefined || struct.introduces !== undefined) return undefined;
  const [part, ...others] = struct.parts;
  if (part === undefined || part.conditions.length > 0 || others.length > 0) return undefined;
  const inner = part.run === undefined ? layoutOf(part.field) : layoutIn(part.run);
  if (inner === undefined) return undefined;
  const span = inner.rows.length + 1;
  const controls = inner.controls.flatMap((control) => {
    const capture = field.captures.find(({ from }) => from === control.slot);
    return capture === undefined ? [] : [{ ...control, slot: capture.to }];
  });
  const rows = [{ field, start: 0, end: inner.width, span }, ...inner.rows];
  return { rows, controls, width: inner.width, depth: inner.depth + 1 };
}

/** Returns the layout that a run was made from. */
function layoutIn({ nodes, starts, ends, spans, controls, width, depth }: Run): Layout {
  const rows = nodes.map((field, index) => {
    return { field, start: starts[index] ?? 0, end: ends[index] ?? 0, span: spans[index] ?? 1 };
  });
  return { rows, controls, width, depth };
}

/** Returns the layout of fields that follow each other. */
export function joined(parts: readonly Layout[]): Layout {
  let width = 0;
  const rows: Layout["rows"][number][] = [];
  const controls: Control[] = [];
  for (const part of parts) {
    for (const row of part.rows) rows.push({ ...row, start: row.start + width, end: row.end + width });
    for (const control of part.controls) controls.push({ ...control, offset: control.offset + width });
    width += part.width;
  }
  return { rows, controls, width, depth: Math.max(0, ...parts.map(({ depth }) => depth)) };
}
