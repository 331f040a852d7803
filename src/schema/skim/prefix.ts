import type { Field } from "../language/field.js";
import type { StructTable } from "../table/struct-table.js";

/**
 * The nodes at the beginning of each message of a type, which are the same in all of them: the struct itself, and the
 * fields before the first one whose presence or width depends on anything.
 */
export interface Prefix {
  readonly root: Field;
  /** The names of all fields that the struct can have. */
  readonly names: ReadonlySet<string>;
  /** The field of each node after the root, and its place, from the start of the message. */
  readonly fields: readonly Field[];
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** The nodes by their paths: `a`, `a.b`. */
  readonly nodes: ReadonlyMap<string, number>;
}

const NOTHING = new Int32Array(0);

/** @param root the field of the struct with this table */
export function prefixOf(root: Field, { entries, segments }: StructTable): Prefix {
  const names = new Set(entries.map(({ field }) => field.name));
  const [first] = segments;
  if (first === undefined || first.conditions.length > 0 || (first.fixed === undefined && first.entry.width === 0)) {
    return { root, names, fields: [], starts: NOTHING, ends: NOTHING, nodes: new Map() };
  }
  const { fixed, entry } = first;
  if (fixed === undefined) {
    const { field, width } = entry;
    const [starts, ends] = [Int32Array.of(0), Int32Array.of(width)];
    return { root, names, fields: [field], starts, ends, nodes: new Map([[field.name, 1]]) };
  }
  const nodes = new Map<string, number>();
  const { nodes: fields, starts, ends, spans } = fixed;
  const add = (from: number, until: number, path: string) => {
    for (let index = from; index < until; index += spans[index] ?? 1) {
      const name = `${path}${fields[index]?.name ?? ""}`;
      if (!nodes.has(name)) nodes.set(name, index + 1);
      add(index + 1, index + (spans[index] ?? 1), `${name}.`);
    }
  };
  add(0, spans.length, "");
  return { root, names, fields, starts, ends, nodes };
}
