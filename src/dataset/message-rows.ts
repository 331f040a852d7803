import type { Message } from "../dissect/message.js";
import { fieldJson } from "../output/json/field-json.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import { Opcode } from "../schema/language/opcode.js";
import { StateEvents } from "../state/state-events.js";
import { forEachLeaf } from "./field-rows.js";
import { FIELDS, GAPS, MESSAGES } from "./general-tables.js";
import { HeldRows, type RowSink } from "./held-rows.js";
import { instantOf, messageRow } from "./message-row.js";
import { forEachStated, STATED } from "./state-rows.js";
import type { Table, Value } from "./table.js";
import type { RowsPart } from "./table-rows.js";
import type { Tables } from "./tables.js";
import { Stamp, TypedRows } from "./typed-rows.js";
import { Ways } from "./ways.js";

/** What is taken from messages. */
export interface MessageRowsOptions {
  /** True for `fields`, which is larger than all other tables together. */
  readonly fields: boolean;
  /** The most rows of a table, and about the most bytes of all tables, that are held before they are passed on. */
  readonly groupRows: number;
  readonly heldBytes: number;
}

/** After how many fields of messages it is asked whether there are too many rows. */
const LOOK_AFTER = 65_536;

/** The rows of one message as plain data, for other `MessageRows`. */
export interface MessagePart {
  readonly rows: readonly RowsPart[];
  /** How many fields the message has. */
  readonly fields: number;
}

/**
 * The rows of messages of one capture, each of which can be had from that message alone. What is passed on, and when,
 * depends only on the messages since `flush`: several threads can make the rows of parts of a capture.
 */
export class MessageRows {
  readonly #held: HeldRows;
  /** Those of messages and classes, by their names. */
  readonly #typedRows = new Map<string, TypedRows>();
  readonly #events: StateEvents;
  readonly #ways = new Ways();
  /** That of the message at hand. */
  readonly #stamp = new Stamp();
  /** Fields of messages since the last look. */
  #fields = 0;

  /** @param capture its digest */
  constructor(
    capture: string,
    readonly tables: Tables,
    readonly options: MessageRowsOptions,
    sink: RowSink,
  ) {
    this.#held = new HeldRows(capture, sink);
    this.#events = new StateEvents(tables.dissectors, STATED);
  }

  /** Adds the rows of a message. */
  message(message: Message): void {
    this.#add(message);
    this.#look(fieldsIn(message));
  }

  /** Adds the rows of a message that other `MessageRows` have gathered. */
  append({ rows, fields }: MessagePart): void {
    for (const part of rows) this.#held.of(this.tables.named(part.table)).append(part);
    this.#look(fields);
  }

  /** Passes the rows of a message alone, which are valid during the call. There must be no others here. */
  passPart(message: Message, take: (part: MessagePart) => void): void {
    this.#add(message);
    take({ rows: this.#held.parts, fields: fieldsIn(message) });
    this.#held.clear();
  }

  /** Passes on all that is held. */
  flush(): void {
    this.#held.flush();
    this.#fields = 0;
  }

  #look(fields: number): void {
    this.#fields += fields;
    if (this.#fields < LOOK_AFTER) return;
    this.#fields = 0;
    this.#held.flushIfMany(this.options);
  }

  #add(message: Message): void {
    const { nodes } = message;
    let classes: string[] | undefined;
    let fieldsJson: string | undefined;
    if (nodes === undefined) this.#gap(message);
    else {
      classes = [];
      if (!this.#typed(message, nodes, classes)) fieldsJson = fieldJson(nodes, 0);
      if (this.options.fields) forEachLeaf(message, (leaf) => this.#addInOrder(FIELDS, leaf));
    }
    forEachStated(message, this.#events.of(message), (table, row, same) => this.#addInOrder(table, row, same));
    const row = messageRow(message, { classes, fieldsJson });
    this.#held.of(MESSAGES).addInOrder(row, 1, 0, this.#ways.cellsOf(message));
  }

  /** Adds the rows of the message and the classes in it; false if they do not have all of it. */
  #typed({ name, number, origin }: Message, nodes: FieldTree, classes: string[]): boolean {
    this.#stamp.set(number, instantOf(origin));
    let isWhole = this.#fill(name, "", nodes, 0);
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
      if (!this.#fill(struct.name, paths[at] ?? "", nodes, node)) isWhole = false;
    }
    return isWhole;
  }

  #fill(name: string, path: string, nodes: FieldTree, node: number): boolean {
    let typed = this.#typedRows.get(name);
    if (typed === undefined) {
      const table = this.tables.of(name);
      if (table === undefined) return false;
      typed = new TypedRows(this.#held.of(table));
      this.#typedRows.set(name, typed);
    }
    return typed.add(this.#stamp, path, nodes, node);
  }

  #gap({ number, origin, conversation, direction, name, offset, length }: Message): void {
    this.#addInOrder(GAPS, [number, instantOf(origin), conversation.stream, direction, name, offset, length]);
  }

  /** @param same how many of the first values are those of the row before */
  #addInOrder(table: Table, row: readonly Value[], same = 0): void {
    this.#held.of(table).addInOrder(row, 1, same);
  }
}

function fieldsIn({ nodes }: Message): number {
  return nodes === undefined ? 1 : nodes.nextOf(0);
}
