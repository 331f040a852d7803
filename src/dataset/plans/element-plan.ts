import type { FieldTree } from "../../schema/language/field-tree.js";
import { type Append, appendNumber, appendText, type Members } from "./part.js";
import { type Absence, PlanMaker, together } from "./plan-maker.js";
import { Shape } from "./shape.js";

/** What is done for structs in a list that have certain fields. */
export class ElementPlan {
  readonly shape: Shape;
  readonly #absences: readonly Absence[] = [];
  readonly #appends: readonly { readonly append: Append; readonly step: number }[] = [];
  /** False if not all values have a column that they fit. */
  readonly #fits: boolean;

  /** @param present the definition level of one of them */
  constructor(fields: Members, present: number, nodes: FieldTree, node: number) {
    const maker = new PlanMaker(nodes);
    const operations = maker.struct(fields, node, 0, present);
    this.shape = new Shape(maker, nodes.field(node).struct);
    this.#fits = operations.fits;
    if (!this.#fits) return;
    const { absences, numbers, texts, lists } = together(fields, operations, present);
    this.#absences = absences;
    this.#appends = [
      ...numbers.map(({ part, step }) => ({ append: appendNumber(part), step })),
      ...texts.map(({ part, step }) => ({ append: appendText(part), step })),
      ...lists.map(({ part, step }) => ({ append: part.append, step })),
    ];
  }

  /** Adds the struct that was found last; false if it does not fit. */
  add(nodes: FieldTree, repetition: number): boolean {
    if (!this.#fits) return false;
    const { at } = this.shape;
    for (const { leaf, level } of this.#absences) leaf.absent(level, repetition);
    for (const { append, step } of this.#appends) if (!append(nodes, at[step] ?? 0, repetition)) return false;
    return true;
  }
}
