import type { Dissector } from "../dissector/dissector.js";
import type { Column } from "../schema/columns/column-type.js";
import { columnsOf } from "../schema/columns/declared-columns.js";
import { unifiedColumns } from "../schema/columns/unify.js";
import { isFamily, reachable } from "../schema/describe/declared-parts.js";
import type { Struct } from "../schema/language/struct.js";
import { column, type Table } from "./table.js";

/** What every row of a message or class begins with. */
export const PLACE: readonly Column[] = [
  column("capture", "text", "The digest of the capture: see `captures`."),
  column("number", "int64", "The message: see `messages`."),
  column("path", "text", "Where in the message; empty for the message itself."),
  column("time", "instant", "When the message was complete (UTC)."),
];

/** A field with the name of one of these columns has another name. */
export function columnName(name: string): string {
  return PLACE.some((place) => place.name === name.toLowerCase()) ? `${name}_field` : name;
}

/**
 * The tables of messages and classes, by their names in lower case, which is all that SQL sees: one for each name.
 * Where several versions of a protocol have a message of one name, its table has the columns of all.
 */
export function typedTables(dissectors: readonly Dissector[], taken: ReadonlySet<string>): ReadonlyMap<string, Table> {
  const tables = new Map<string, Table>();
  for (const struct of structsOf(dissectors)) {
    const own = columnsOf(struct).map((one) => ({ ...one, name: columnName(one.name) }));
    const key = typedName(struct.name, taken).toLowerCase();
    const known = tables.get(key);
    const columns = known === undefined ? [...PLACE, ...own] : unifiedColumns(known.columns, own);
    const doc = known?.doc || struct.doc;
    tables.set(key, { name: known?.name ?? typedName(struct.name, taken), doc, columns });
  }
  return tables;
}

/** The name of the table of a message or class. */
export function typedName(name: string, taken: ReadonlySet<string>): string {
  const word = name.replaceAll(/\W/g, "_");
  return taken.has(word.toLowerCase()) ? `message_${word}` : word;
}

/** Messages in all forms, and the classes in them. */
function structsOf(dissectors: readonly Dissector[]): Set<Struct> {
  const structs = new Set<Struct>();
  for (const { messages = new Map(), otherForms, types } of dissectors) {
    for (const { c2s, s2c } of messages.values()) for (const { struct } of [...c2s, ...s2c]) structs.add(struct);
    for (const { struct } of otherForms?.() ?? []) structs.add(struct);
    const families = [...types.values()].flatMap(({ descriptor }) => descriptor.family ?? []);
    for (const part of reachable([...structs, ...families])) {
      if (isFamily(part)) for (const struct of part.classes()) structs.add(struct);
    }
    // Messages that belong to no single protocol, such as those that set up connections, are declared only as types.
    for (const { descriptor } of types.values()) {
      if (descriptor.struct !== undefined && descriptor.struct.tag !== undefined) structs.add(descriptor.struct);
    }
  }
  for (const struct of structs) if (struct.name === "") structs.delete(struct);
  return structs;
}
