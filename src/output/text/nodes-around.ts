import { empty } from "../../common/empty.js";
import type { FieldTree } from "../../schema/language/field-tree.js";

/** Finds the nodes around others, which have to be asked for in wire order: one walk through a tree finds all. */
export class NodesAround {
  readonly #around: number[] = [];
  /** The next node to look at. */
  #at = 1;

  /** Starts over, for another tree. */
  begin(): void {
    empty(this.#around);
    this.#at = 1;
  }

  /** The nodes that contain a node, from the outermost to the innermost, without the root; valid until the next call. */
  of(nodes: FieldTree, node: number): readonly number[] {
    const around = this.#around;
    for (let last = around.at(-1); last !== undefined && nodes.nextOf(last) <= node; last = around.at(-1)) {
      this.#at = nodes.nextOf(last);
      around.pop();
    }
    while (this.#at < node) {
      const end = nodes.nextOf(this.#at);
      if (end > node) around.push(this.#at++);
      else this.#at = end;
    }
    return around;
  }
}
