import type { FieldTree } from "../../schema/language/field-tree.js";
import { isArray } from "../../schema/language/opcode.js";
import { Ascii } from "../writers/ascii.js";
import { CURRENT } from "../writers/json-version.js";
import type { FieldWriter } from "./field-writer.js";
import { jsonFields } from "./json-names.js";

/**
 * Writes paths of nodes as they are in `fields`: `stream.data.events[2].hitter`. The nodes have to be asked for in wire
 * order, so that one walk through the tree finds all of them.
 */
export class PathWalk {
  /** The nodes around the one that was asked for last, itself included, and the index of each in its parent. */
  readonly #nodes: number[] = [];
  readonly #indexes: number[] = [];
  #depth = 0;
  /** The next node to look at, and its index. */
  #at = 1;
  #index = 0;

  /** Starts over, for another tree. */
  begin(): void {
    this.#depth = 0;
    this.#at = 1;
    this.#index = 0;
  }

  write(writer: FieldWriter, nodes: FieldTree, node: number): void {
    this.#walk(nodes, node);
    let isIndexed = isArray(nodes.field(0).opcode);
    for (let depth = 0; depth < this.#depth; depth++) {
      const field = nodes.field(this.#nodes[depth] ?? 0);
      if (isIndexed) {
        writer.byte(Ascii.OpeningBracket);
        writer.digits(this.#indexes[depth] ?? 0);
        writer.byte(Ascii.ClosingBracket);
      } else {
        if (depth > 0) writer.byte(Ascii.Point);
        writer.constant(jsonFields[CURRENT].of(field).bareName);
      }
      isIndexed = isArray(field.opcode);
    }
  }

  #walk(nodes: FieldTree, node: number): void {
    while (this.#at <= node) {
      while (this.#depth > 0 && nodes.nextOf(this.#nodes[this.#depth - 1] ?? 0) <= this.#at) {
        this.#depth--;
        this.#index = (this.#indexes[this.#depth] ?? 0) + 1;
      }
      const next = nodes.nextOf(this.#at);
      if (next <= node) {
        this.#at = next;
        this.#index++;
        continue;
      }
      this.#nodes[this.#depth] = this.#at;
      this.#indexes[this.#depth] = this.#index;
      this.#depth++;
      this.#at++;
      this.#index = 0;
    }
  }
}
