import type { Dissector } from "../dissector/dissector.js";
import { GENERAL_TABLES } from "./general-tables.js";
import type { Table } from "./table.js";
import { typedName, typedTables } from "./typed-tables.js";

/** All tables of a dataset, by their names in lower case, which is all that SQL sees. */
export class Tables {
  readonly #general = new Map(GENERAL_TABLES.map((table) => [table.name.toLowerCase(), table]));
  readonly typed: ReadonlyMap<string, Table>;
  readonly #taken = new Set(this.#general.keys());

  constructor(readonly dissectors: readonly Dissector[]) {
    this.typed = typedTables(dissectors, this.#taken);
  }

  get all(): readonly Table[] {
    return [...this.#general.values(), ...this.typed.values()];
  }

  /** The table of a message or class; undefined if it is not declared. */
  of(name: string): Table | undefined {
    return this.typed.get(typedName(name, this.#taken).toLowerCase());
  }

  /** The table of a name. @throws RangeError if there is none */
  named(name: string): Table {
    const key = name.toLowerCase();
    const table = this.#general.get(key) ?? this.typed.get(key);
    if (table === undefined) throw new RangeError(`there is no table ${name}`);
    return table;
  }
}
