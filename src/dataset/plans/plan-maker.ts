import type { Field } from "../../schema/language/field.js";
import type { FieldTree } from "../../schema/language/field-tree.js";
import type { Leaf } from "../columns/leaf.js";
import type { ListPart, Members, NumberPart, Part, TextPart } from "./part.js";

/** A leaf that has nothing, and up to which level there is something around it. */
export interface Absence {
  readonly leaf: Leaf;
  readonly level: number;
}

/** What is done with the node that is found at a step. */
export interface At<P> {
  readonly part: P;
  readonly step: number;
}

/** What is done for a column, or for a part of one. */
export interface Operations {
  readonly absences: readonly Absence[];
  readonly numbers: readonly At<NumberPart>[];
  readonly texts: readonly At<TextPart>[];
  readonly lists: readonly At<ListPart>[];
}

const NOTHING: Operations = { absences: [], numbers: [], texts: [], lists: [] };

/** What is done for the columns of a struct. */
export interface StructOperations {
  /** In the order of the columns; undefined for one that has no value. */
  readonly columns: readonly (Operations | undefined)[];
  /** False if not all values have a column that they fit. */
  readonly fits: boolean;
}

/** Finds out what has to be done for structs that have the same fields as a given one. */
export class PlanMaker {
  /** The fields, parents before what is in them, and whether what is in them is passed over; first, the struct. */
  readonly fields: (Field | undefined)[] = [undefined];
  readonly skips: boolean[] = [false];
  /** Where structs in it begin and end: steps, in pairs. */
  readonly structs: number[] = [];

  constructor(readonly nodes: FieldTree) {}

  /**
   * @param step that of the struct itself
   * @param present the definition level of the struct
   */
  struct(fields: Members, node: number, step: number, present: number): StructOperations {
    const { nodes } = this;
    const columns: (Operations | undefined)[] = fields.builders.map(() => undefined);
    const { family, struct } = nodes.field(node);
    let fits = true;
    const take = (at: number, part: Part, child: number, childStep: number): void => {
      const operations = this.#operations(part, child, childStep);
      columns[at] = operations;
      if (operations === undefined) fits = false;
    };
    const end = nodes.nextOf(node);
    for (let child = node + 1; child < end; child = nodes.nextOf(child)) {
      const field = nodes.field(child);
      const childStep = this.fields.push(field) - 1;
      this.skips.push(true);
      // The name of the table says the same.
      if (field === family?.tagField) continue;
      const { at, part, rawAt, rawPart } = fields.member(field);
      if (part !== undefined) take(at, part, child, childStep);
      else if (!isEmpty(field)) fits = false;
      if (rawPart !== undefined) take(rawAt, rawPart, child, childStep);
    }
    for (const { at, part } of struct === undefined ? [] : fields.derived(struct, present)) take(at, part, node, step);
    return { columns, fits };
  }

  /** Undefined for what does not fit. */
  #operations(part: Part, node: number, step: number): Operations | undefined {
    switch (part.kind) {
      case "none":
        return undefined;
      case "null":
        return { ...NOTHING, absences: [{ leaf: part.leaf, level: part.leaf.deepest - 1 }] };
      case "number":
        return { ...NOTHING, numbers: [{ part, step }] };
      case "text":
        return { ...NOTHING, texts: [{ part, step }] };
      case "list":
        return { ...NOTHING, lists: [{ part, step }] };
      case "struct": {
        this.skips[step] = false;
        const { fields, builder } = part;
        const inner = this.struct(fields, node, step, builder.present);
        this.structs.push(step, this.fields.length);
        return inner.fits ? together(fields, inner, builder.present) : undefined;
      }
    }
  }
}

/** What is done for a struct that all fits. @param present its definition level */
export function together({ builders }: Members, { columns }: StructOperations, present: number): Operations {
  const absences = builders.flatMap(({ leaves }, at) =>
    columns[at] === undefined ? leaves.map((leaf) => ({ leaf, level: present })) : [],
  );
  const all = [{ ...NOTHING, absences }, ...columns.filter((one) => one !== undefined)];
  return {
    absences: all.flatMap((one) => one.absences),
    numbers: all.flatMap(({ numbers }) => numbers),
    texts: all.flatMap(({ texts }) => texts),
    lists: all.flatMap(({ lists }) => lists),
  };
}

/** True for a field without a value: a struct of no fields. */
function isEmpty({ struct }: Field): boolean {
  return struct !== undefined && struct.fields.length === 0;
}
