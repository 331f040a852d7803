import type { Message } from "../dissect/message.js";
import type { Dissector } from "../dissector/dissector.js";
import { fieldJson } from "../output/json/field-json.js";
import { Opcode } from "../schema/language/opcode.js";
import { StateEvents } from "../state/state-events.js";
import type { StreamFacts } from "../stats/index.js";
import { conversationRow } from "./conversation-row.js";
import { forEachLeaf } from "./field-rows.js";
import { CAPTURES, CONVERSATIONS, FIELDS, GAPS, GENERAL_TABLES, MESSAGES, PLAYERS } from "./general-tables.js";
import { instantOf, messageRow } from "./message-row.js";
import { forEachStated } from "./state-rows.js";
import { Stays } from "./stays.js";
import type { Row, Table, Value } from "./table.js";
import { TableRows } from "./table-rows.js";
import { columnName, PLACE, typedName, typedTables } from "./typed-tables.js";
import { StructValues } from "./values.js";

/** Takes the rows of tables, some at a time. */
export type RowSink = (table: Table, columns: readonly (readonly Value[])[]) => void;

/** What is taken from a capture. */
export interface DatasetOptions {
  /** True for `fields`, which is larger than all other tables together. */
  readonly fields: boolean;
  /** The most stays of players that are told apart. */
  readonly mostStays: number;
  /** The most rows of a table, and the most bytes of all tables, that are held before they are passed on. */
  readonly groupRows: number;
  readonly heldBytes: number;
}

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
}

/** The rows of one capture. */
export class CaptureRows {
  readonly #held = new Map<Table, TableRows>();
  readonly #values = new Map<Table, StructValues>();
  readonly #stays: Stays;
  readonly #events: StateEvents;
  #heldBytes = 0;
  #messages = 0;
  #first: bigint | undefined;
  #last: bigint | undefined;

  /** @param capture its digest */
  constructor(
    readonly capture: string,
    readonly tables: Tables,
    readonly options: DatasetOptions,
    readonly sink: RowSink,
  ) {
    this.#stays = new Stays(capture, options.mostStays);
    this.#events = new StateEvents(tables.dissectors);
  }

  message(message: Message): void {
    const { capture } = this;
    const time = instantOf(message.origin);
    this.#first ??= time;
    this.#last = time;
    this.#messages++;
    const row = messageRow(capture, message);
    const { nodes, name } = message;
    if (nodes === undefined) this.#gap(message);
    else {
      const classes: string[] = [];
      if (!this.#typed(message, row, classes)) row["fields_json"] = fieldJson(nodes, 0);
      row["classes"] = classes;
      this.#stays.take(message);
      if (this.options.fields) forEachLeaf(capture, message, (leaf) => this.#add(FIELDS, leaf));
    }
    forEachStated(capture, message, this.#events.of(message), (table, row) => this.#add(table, row));
    row["message"] = name;
    this.#add(MESSAGES, row);
  }

  conversation(facts: Omit<StreamFacts, "isTimed">): void {
    this.#add(CONVERSATIONS, conversationRow(this.capture, facts));
  }

  /** Passes on all that is held, and the row of the capture itself. */
  end(facts: Row): void {
    for (const row of this.#stays.rows) this.#add(PLAYERS, row);
    const { capture } = this;
    const own = { capture, first: this.#first, last: this.#last, messages: BigInt(this.#messages) };
    this.#add(CAPTURES, { ...own, ...facts });
    for (const rows of this.#held.values()) this.#pass(rows);
  }

  /** Adds the rows of the message and the classes in it; false if they do not have all of it. */
  #typed({ nodes, name, number }: Message, row: Row, classes: string[]): boolean {
    if (nodes === undefined) return true;
    const { time } = row;
    const place = { capture: this.capture, number: BigInt(number), time };
    let isWhole = this.#fill(name, { ...place, path: "" }, nodes, 0);
    const inner = nodes.outline.filter((node) => node > 0 && nodes.field(node).opcode === Opcode.Polymorphic);
    if (inner.length === 0) return isWhole;
    const paths = nodes.paths(inner);
    for (const [at, node] of inner.entries()) {
      const { struct } = nodes.field(node);
      // Groups have no name.
      if (struct === undefined || struct.name === "") continue;
      classes.push(struct.name);
      if (!this.#fill(struct.name, { ...place, path: paths[at] ?? "" }, nodes, node)) isWhole = false;
    }
    return isWhole;
  }

  #fill(name: string, row: Row, nodes: Message["nodes"] & object, node: number): boolean {
    const table = this.tables.of(name);
    if (table === undefined) return false;
    let values = this.#values.get(table);
    if (values === undefined) {
      values = new StructValues(table.columns, new Map(PLACE.map(({ name: own }) => [own, columnName(own)])));
      this.#values.set(table, values);
    }
    const fits = values.fill(row, nodes, node);
    this.#add(table, row);
    return fits;
  }

  #gap({ number, origin, conversation, direction, name, offset, length }: Message): void {
    this.#add(GAPS, {
      capture: this.capture,
      number: BigInt(number),
      time: instantOf(origin),
      stream: BigInt(conversation.stream),
      direction,
      kind: name,
      offset: BigInt(offset),
      length: BigInt(length),
    });
  }

  #add(table: Table, row: Row): void {
    let rows = this.#held.get(table);
    if (rows === undefined) {
      rows = new TableRows(table);
      this.#held.set(table, rows);
    }
    const before = rows.size;
    rows.add(row);
    this.#heldBytes += rows.size - before;
    if (rows.count >= this.options.groupRows) this.#pass(rows);
    else if (this.#heldBytes > this.options.heldBytes) this.#pass(this.#largest());
  }

  #largest(): TableRows {
    return [...this.#held.values()].reduce((one, other) => (one.size >= other.size ? one : other));
  }

  #pass(rows: TableRows): void {
    if (rows.count === 0) return;
    this.sink(rows.table, rows.columns);
    this.#heldBytes -= rows.size;
    rows.clear();
  }
}
