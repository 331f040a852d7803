import { factoryOf } from "./factories.js";
import type { Linker } from "./linker.js";
import type { Skim } from "./skim-state.js";

/** Gathers the lines of a function that skims, with what they refer to, and makes the function. */
export abstract class CodeWriter {
  protected readonly linker: Linker;
  readonly #lines: string[] = [];
  readonly #constants: unknown[] = [];
  #variables = 0;
  /** The most nodes that the code stands for, outside loops. */
  protected nodes = 0;
  /** The most structs within each other. */
  protected depth = 0;

  constructor(linker: Linker) {
    this.linker = linker;
  }

  /** Returns the function that the lines make. Names and texts of declarations are never part of its code. */
  protected compiled(): Skim {
    const variables = Array.from({ length: this.#variables }, (_, index) => `v${index} = 0`).join(", ");
    const code = [
      '"use strict";',
      "return function skim(bytes, view, position, limit, depth) {",
      `if ((state.nodes += ${this.nodes}) > state.mostNodes || depth + ${this.depth} > state.deepest) return -1;`,
      "const { store, origin } = state;",
      variables === "" ? "" : `let ${variables};`,
      ...this.#lines,
      "return position;",
      "};",
    ].join("\n");
    const names = this.#constants.map((_, index) => `k${index}`);
    const made = factoryOf(names, code)(this.linker.state, ...this.#constants);
    if (isSkim(made)) return made;
    throw new TypeError("the code of a type is no function");
  }

  protected emit(line: string): void {
    this.#lines.push(line);
  }

  /** Returns the name by which the code refers to something. */
  protected constant(value: unknown): string {
    const known = this.#constants.indexOf(value);
    return `k${known >= 0 ? known : this.#constants.push(value) - 1}`;
  }

  /** Returns the name of a new local variable. */
  protected variable(): string {
    return `v${this.#variables++}`;
  }

  /** Writes the code for one element of a loop, whose nodes are counted each time. */
  protected inLoop(write: () => void): void {
    const before = this.nodes;
    const at = this.#lines.length;
    write();
    const nodes = this.nodes - before;
    this.nodes = before;
    this.#lines.splice(at, 0, `if ((state.nodes += ${nodes}) > state.mostNodes) return -1;`);
  }
}

function isSkim(made: unknown): made is Skim {
  return typeof made === "function";
}
