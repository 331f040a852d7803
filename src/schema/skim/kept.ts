import type { Field } from "../language/field.js";
import type { Selection, Wanted } from "../language/field-tree.js";
import { isArray, Opcode } from "../language/opcode.js";
import type { Struct } from "../language/struct.js";
import { fixedSegment } from "../table/fixed-segment.js";
import type { FieldEntry, FixedSegment, StructTable } from "../table/struct-table.js";
import { showsClass } from "../tree/label.js";

/** Which nodes below a node are kept: those that are wanted, with all around them; or all of them. */
export type Keep = "parts" | "whole";

/** What is kept of all messages: what binds names; their classes as well; or all that summaries show. */
export const Outline = { names: 0, classes: 1, summaries: 2 } as const;
/** One of the values of `Outline`: a higher one includes the lower ones. */
export type Outline = (typeof Outline)[keyof typeof Outline];

/**
 * Says which nodes of a message are kept while it is skimmed: see `FieldTree.naming`, `FieldTree.outlined` and
 * `FieldTree.selected`.
 */
export class Kept {
  readonly #tables = new WeakMap<StructTable, boolean>();
  /** Tables whose entries are being looked at. */
  readonly #pending = new Set<StructTable>();
  readonly #segments = new WeakMap<FixedSegment, FixedSegment>();
  readonly #wanted = new WeakMap<Field, Wanted | "nothing">();

  /** @param selections what readers look at besides the outline */
  constructor(
    readonly selections: readonly Selection[] = [],
    readonly outline: Outline = Outline.summaries,
  ) {}

  /** True if nodes are kept for those below them, among which readers look for something. */
  get keepsAround(): boolean {
    return this.hasSummaries || this.selections.length > 0;
  }

  /** True if the nodes of classes are kept. */
  get hasClasses(): boolean {
    return this.outline !== Outline.names || this.keepsAround;
  }

  get hasSummaries(): boolean {
    return this.outline === Outline.summaries;
  }

  /** True if a node of a field is kept, and all nodes below it. */
  isWhole(field: Field): boolean {
    return this.hasFunctions(field) || this.#wants(field) === "whole";
  }

  /** True if functions of its struct may read what is below the nodes of a field. */
  hasFunctions({ struct, inSummary }: Field): boolean {
    return struct !== undefined && (this.callsOf(struct) || (this.hasSummaries && inSummary && isWorded(struct)));
  }

  /** True if a leaf is kept. */
  hasLeaf({ isOutlined, field }: FieldEntry): boolean {
    return (isOutlined && this.hasSummaries) || this.#wants(field) !== "nothing";
  }

  /** True if a node may be kept below those of a field, or is one of them. */
  has(entry: FieldEntry): boolean {
    const { opcode, field, table, inner, elements, choices, otherwise } = entry;
    if (entry.isOutlined && !isArray(opcode) && this.#outlines(field)) return true;
    if (this.hasFunctions(field) || this.#wants(field) !== "nothing") return true;
    if (!this.keepsAround) return false;
    if (opcode === Opcode.Resolved) return true;
    if (opcode === Opcode.Struct) return table !== undefined && this.#hasTable(table);
    return [inner, otherwise, ...elements, ...(choices?.values() ?? [])].some(
      (one) => one !== undefined && this.has(one),
    );
  }

  /** True if a struct has functions that read what is below its nodes. */
  protected callsOf({ fact, introduces }: Struct): boolean {
    return introduces !== undefined || (fact !== undefined && this.hasSummaries);
  }

  /** True if a node of the whole outline is in this one. */
  #outlines(field: Field): boolean {
    return this.hasSummaries || (this.outline === Outline.classes && showsClass(field));
  }

  /** Returns a segment with only those nodes that are kept; undefined if none are. */
  segment(segment: FixedSegment): FixedSegment | undefined {
    let kept = this.#segments.get(segment);
    if (kept === undefined) {
      kept = this.#reduced(segment);
      this.#segments.set(segment, kept);
    }
    return kept.nodes.length === 0 ? undefined : kept;
  }

  #wants(field: Field): Wanted | "nothing" {
    if (this.selections.length === 0) return "nothing";
    let wanted = this.#wanted.get(field);
    if (wanted === undefined) {
      const each = this.selections.map((selection) => selection.wants(field));
      wanted = each.includes("whole") ? "whole" : (each.find((one) => one !== undefined) ?? "nothing");
      this.#wanted.set(field, wanted);
    }
    return wanted;
  }

  #hasTable(table: StructTable): boolean {
    const known = this.#tables.get(table);
    if (known !== undefined) return known;
    // A struct within itself has no more nodes to keep than it has outside.
    if (this.#pending.has(table)) return false;
    this.#pending.add(table);
    const found = table.entries.some((entry) => this.has(entry));
    this.#pending.delete(table);
    // What is in a struct that is still being looked at is not known completely.
    if (found || this.#pending.size === 0) this.#tables.set(table, found);
    return found;
  }

  #reduced({ nodes, starts, ends, spans, outline, controls, width, depth }: FixedSegment): FixedSegment {
    const isKept = nodes.map(() => false);
    const span = (index: number) => spans[index] ?? 1;
    for (const [index, field] of nodes.entries()) {
      if (this.isWhole(field)) isKept.fill(true, index, index + span(index));
      const isOutlined = outline.includes(index) && this.#outlines(field);
      if (isOutlined || this.#wants(field) !== "nothing") isKept[index] = true;
    }
    const around = (index: number) => isKept.slice(index, index + (this.keepsAround ? span(index) : 1)).includes(true);
    const left = [...nodes.keys()].filter(around);
    const countIn = (index: number) => left.filter((one) => one >= index && one < index + span(index)).length;
    return fixedSegment({
      nodes: left.flatMap((index) => {
        const field = nodes[index];
        if (field === undefined) return [];
        const isOutlined = outline.includes(index);
        return { field, isOutlined, start: starts[index] ?? 0, end: ends[index] ?? 0, span: countIn(index) };
      }),
      controls,
      width,
      depth,
    });
  }
}

/** True if a struct in a summary stands there as a text of its own. */
function isWorded({ shownAs, label }: Struct): boolean {
  return shownAs !== undefined || label !== undefined;
}
