import type { FieldTree } from "../../schema/language/field-tree.js";
import type { Shape } from "./shape.js";

/** How many plans are kept: what comes in ever other forms must not take ever more memory. */
const MOST_KEPT = 64;

/** Plans for structs of one kind, by the fields that these have. */
export class Plans<Plan extends { readonly shape: Shape }> {
  readonly #plans: Plan[] = [];
  #last: Plan | undefined;

  constructor(readonly make: (nodes: FieldTree, node: number) => Plan) {}

  /** Returns the plan for a struct, whose nodes it has found. */
  of(nodes: FieldTree, node: number): Plan {
    const last = this.#last;
    if (last?.shape.find(nodes, node)) return last;
    for (const plan of this.#plans) {
      if (plan === last || !plan.shape.find(nodes, node)) continue;
      this.#last = plan;
      return plan;
    }
    const plan = this.make(nodes, node);
    plan.shape.find(nodes, node);
    if (this.#plans.length === MOST_KEPT) this.#plans.shift();
    this.#plans.push(plan);
    this.#last = plan;
    return plan;
  }
}
