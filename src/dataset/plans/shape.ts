import type { Field } from "../../schema/language/field.js";
import type { FieldTree } from "../../schema/language/field-tree.js";
import type { Struct } from "../../schema/language/struct.js";
import type { PlanMaker } from "./plan-maker.js";

/** The fields that a struct and the structs in it have: a plan made for one of them is good for all others. */
export class Shape {
  readonly #fields: readonly (Field | undefined)[];
  readonly #skips: Uint8Array;
  readonly #structs: readonly number[];
  /** The nodes that were found last, for each step. */
  readonly at: Int32Array;

  constructor(
    { fields, skips, structs }: PlanMaker,
    readonly struct: Struct | undefined,
  ) {
    this.#fields = fields;
    this.#skips = Uint8Array.from(skips, Number);
    this.#structs = structs;
    this.at = new Int32Array(fields.length + 1);
  }

  /** Finds the nodes of a struct; false if it has other fields. */
  find(nodes: FieldTree, node: number): boolean {
    if (nodes.field(node).struct !== this.struct) return false;
    const { fields } = nodes;
    const own = this.#fields;
    const skips = this.#skips;
    const { at } = this;
    const end = nodes.nextOf(node);
    at[0] = node;
    let child = node + 1;
    for (let step = 1; step < own.length; step++) {
      if (child >= end || fields[child] !== own[step]) return false;
      at[step] = child;
      child = skips[step] === 1 ? nodes.nextOf(child) : child + 1;
    }
    at[own.length] = end;
    return child === end && this.#areWhole(nodes);
  }

  /** The same fields can be in a struct, or behind it. */
  #areWhole(nodes: FieldTree): boolean {
    const { at } = this;
    const structs = this.#structs;
    for (let pair = 0; pair < structs.length; pair += 2) {
      if (nodes.nextOf(at[structs[pair] ?? 0] ?? 0) !== at[structs[pair + 1] ?? 0]) return false;
    }
    return true;
  }
}
