import type { FieldEntry } from "../table/struct-table.js";
import { readCodedControl } from "../tree/leaf.js";
import { Nodes } from "../tree/nodes.js";

/** What compiled code answers instead of an end: something is unusual, so that the decoder has to look itself. */
export const LOOK = -1;
/** The same: more bytes are needed; `SkimState.needed` says up to where. */
export const NEEDS = -2;

/**
 * Finds the end of a value in `bytes` from `position` on.
 *
 * @param limit end of the bytes that may be read
 * @param depth number of structs around the value, and the value itself if it is one
 * @returns the end, `LOOK` or `NEEDS`
 */
export type Skim = (bytes: Uint8Array, view: DataView, position: number, limit: number, depth: number) => number;

/** What the compiled code of all types shares while it skims a message. */
export class SkimState {
  /** Where the bytes would have to end for a value whose skimming has answered `NEEDS`. */
  needed = 0;
  /** At least the number of nodes that the decoder would have made so far. */
  nodes = 0;
  /** The nodes that are kept, in a tree of their own: see `FieldTree.outlined`. */
  readonly store: Nodes;
  /** Where the message begins. */
  origin = 0;
  /** True if there are functions of declarations that may read this tree. */
  hasFunctions = false;
  /** Settings and names of the run, for types that depend on them. */
  settings: unknown;
  nameOf: (kind: string, id: string) => string | undefined = () => undefined;

  constructor(
    readonly mostNodes: number,
    readonly deepest: number,
    mostNotes: number,
  ) {
    this.store = new Nodes(mostNotes);
  }

  /** Begins with the next message. */
  begin(origin: number): void {
    this.needed = 0;
    this.nodes = 0;
    this.origin = origin;
    this.hasFunctions = false;
    this.store.clearNodes();
  }

  /** Notes that a value ends beyond the available bytes. */
  needs(end: number): number {
    this.needed = end;
    return NEEDS;
  }

  /** Notes that values which follow each other, with these ends, do not all fit. */
  needsOneOf(ends: Int32Array, position: number, limit: number): number {
    for (let index = 0; index < ends.length; index++) {
      const end = position + (ends[index] ?? 0);
      if (end > limit) return this.needs(end);
    }
    return LOOK;
  }

  /** Notes that a codec has not measured a whole value. */
  unmeasured(length: number, position: number, limit: number): number {
    return Number.isInteger(length) && length < 0 && -length > limit - position ? this.needs(position - length) : LOOK;
  }

  /** Reads the number that later fields test from a leaf with a codec. */
  coded(entry: FieldEntry, bytes: Uint8Array, start: number, end: number): number {
    return readCodedControl(entry, bytes, start, end);
  }
}
