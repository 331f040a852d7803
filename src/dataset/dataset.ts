import type { Message } from "../dissect/message.js";
import type { Dissector } from "../dissector/dissector.js";
import { fieldJson } from "../output/json/field-json.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import { Opcode } from "../schema/language/opcode.js";
import { StateEvents } from "../state/state-events.js";
import type { StreamFacts } from "../stats/index.js";
import { Memory } from "./columns/growing.js";
import { conversationRow } from "./conversation-row.js";
import { forEachLeaf } from "./field-rows.js";
import { CAPTURES, CONVERSATIONS, FIELDS, GAPS, GENERAL_TABLES, MESSAGES, PLAYERS } from "./general-tables.js";
import { instantOf, messageRow } from "./message-row.js";
import { forEachStated } from "./state-rows.js";
import { Stays } from "./stays.js";
import type { Row, Table, Value } from "./table.js";
import { TableRows } from "./table-rows.js";
import { TypedRows } from "./typed-rows.js";
import { typedName, typedTables } from "./typed-tables.js";

/** Takes the rows of tables, some at a time; they are valid only during the call. */
export type RowSink = (rows: TableRows) => void;

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
  readonly #memory = new Memory();
  readonly #held = new Map<Table, TableRows>();
  /** Those of messages and classes, by their names. */
  readonly #typedRows = new Map<string, TypedRows>();
  readonly #stays: Stays;
  readonly #events: StateEvents;
  #messages = 0;
  #first: number | undefined;
  #last: number | undefined;

  /** @param capture its digest */
  constructor(
    readonly capture: string,
    readonly tables: Tables,
    readonly options: DatasetOptions,
    readonly sink: RowSink,
  ) {
    this.#stays = new Stays(options.mostStays);
    this.#events = new StateEvents(tables.dissectors);
  }

  message(message: Message): void {
    const time = instantOf(message.origin);
    this.#first ??= time;
    this.#last = time;
    this.#messages++;
    const { nodes } = message;
    let classes: string[] | undefined;
    let fieldsJson: string | undefined;
    if (nodes === undefined) this.#gap(message);
    else {
      classes = [];
      if (!this.#typed(message, nodes, time, classes)) fieldsJson = fieldJson(nodes, 0);
      this.#stays.take(message);
      if (this.options.fields) forEachLeaf(message, (leaf) => this.#addInOrder(FIELDS, leaf));
    }
    forEachStated(message, this.#events.of(message), (table, row, same) => this.#addInOrder(table, row, same));
    this.#addInOrder(MESSAGES, messageRow(message, { classes, fieldsJson }));
  }

  conversation(facts: Omit<StreamFacts, "isTimed">): void {
    this.#add(CONVERSATIONS, conversationRow(facts));
  }

  /** How many messages were taken, with ranges that are none. */
  get messages(): number {
    return this.#messages;
  }

  /** What the rows lack, in sentences. */
  get remarks(): readonly string[] {
    const { remark } = this.#stays;
    return remark === undefined ? [] : [remark];
  }

  /** Passes on all that is held, and the row of the capture itself. */
  end(facts: Row): void {
    for (const row of this.#stays.rows) this.#add(PLAYERS, row);
    const own = { first: this.#first, last: this.#last, messages: this.#messages };
    this.#add(CAPTURES, { ...own, ...facts });
    for (const rows of this.#held.values()) this.#pass(rows);
  }

  /** Adds the rows of the message and the classes in it; false if they do not have all of it. */
  #typed({ name, number }: Message, nodes: FieldTree, time: number, classes: string[]): boolean {
    let isWhole = this.#fill(name, number, "", time, nodes, 0);
    const { outline } = nodes;
    const inner: number[] = [];
    for (let at = 0; at < outline.length; at++) {
      const node = outline[at] ?? 0;
      if (node > 0 && nodes.field(node).opcode === Opcode.Polymorphic) inner.push(node);
    }
    if (inner.length === 0) return isWhole;
    const paths = nodes.paths(inner);
    for (let at = 0; at < inner.length; at++) {
      const node = inner[at] ?? 0;
      const { struct } = nodes.field(node);
      // Groups have no name.
      if (struct === undefined || struct.name === "") continue;
      classes.push(struct.name);
      if (!this.#fill(struct.name, number, paths[at] ?? "", time, nodes, node)) isWhole = false;
    }
    return isWhole;
  }

  #fill(name: string, number: number, path: string, time: number, nodes: FieldTree, node: number): boolean {
    let typed = this.#typedRows.get(name);
    if (typed === undefined) {
      const table = this.tables.of(name);
      if (table === undefined) return false;
      typed = new TypedRows(this.#rowsOf(table));
      this.#typedRows.set(name, typed);
    }
    const fits = typed.add(number, path, time, nodes, node);
    this.#passIfMany(typed.rows);
    return fits;
  }

  #gap({ number, origin, conversation, direction, name, offset, length }: Message): void {
    const { stream } = conversation;
    this.#add(GAPS, { number, time: instantOf(origin), stream, direction, kind: name, offset, length });
  }

  #rowsOf(table: Table): TableRows {
    let rows = this.#held.get(table);
    if (rows === undefined) {
      rows = new TableRows(table, this.capture, this.#memory);
      this.#held.set(table, rows);
    }
    return rows;
  }

  #add(table: Table, row: Row): void {
    const rows = this.#rowsOf(table);
    rows.add(row);
    this.#passIfMany(rows);
  }

  /** @param same how many of the first values are those of the row before */
  #addInOrder(table: Table, row: readonly Value[], same = 0): void {
    const rows = this.#rowsOf(table);
    rows.addInOrder(row, 1, same);
    this.#passIfMany(rows);
  }

  #passIfMany(rows: TableRows): void {
    if (rows.count >= this.options.groupRows) this.#pass(rows);
    else if (this.#memory.held > this.options.heldBytes) this.#pass(this.#largest());
  }

  #largest(): TableRows {
    return [...this.#held.values()].reduce((one, other) => (one.size >= other.size ? one : other));
  }

  #pass(rows: TableRows): void {
    if (rows.count === 0) return;
    this.sink(rows);
    rows.clear();
  }
}
