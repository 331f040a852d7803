import type { Condition } from "../language/condition.js";
import type { Family } from "../language/family.js";
import { Field, UNDISSECTED } from "../language/field.js";
import { isType } from "../language/is-type.js";
import { Opcode } from "../language/opcode.js";
import { type Reference, referencesOf } from "../language/references.js";
import { isSensitive } from "../language/sensitive.js";
import type { Struct } from "../language/struct.js";
import type { Type, TypeDescriptor } from "../language/type.js";
import { segmentsOf } from "./segments.js";
import { FieldEntry, NO_SLOT, REST, type SlotCondition, type StructTable } from "./struct-table.js";

/** A number that is wanted of a struct: its path in there, and how much of it is used. */
type Wanted = Pick<Reference, "path" | "usage">;

/**
 * The tables of each struct, by what is wanted of them from outside. They are found here once: from then on, entries
 * lead from one table to the next. Held weakly, since types that depend on the settings of a run are made by it.
 */
const tables = new WeakMap<Struct, Map<string, StructTable>>();

/** Returns the table of a struct, which is compiled when it is first asked for. */
export function tableOf(struct: Struct, wanted: readonly Wanted[] = []): StructTable {
  let known = tables.get(struct);
  if (known === undefined) {
    known = new Map();
    tables.set(struct, known);
  }
  const key = wanted.map(({ path, usage }) => `${path} ${usage}`).join();
  let table = known.get(key);
  if (table === undefined) {
    table = compiled(struct, wanted);
    known.set(key, table);
  }
  return table;
}

/** Returns the entry of a field that is not in a struct. @throws Error if its rules refer to other fields */
export function entryOf(field: Field): FieldEntry {
  return entryIn(undefined, field);
}

/** Returns the entry of a number by itself, all of which is used: a tag, say. */
export function wholeNumberEntry(field: Field): FieldEntry {
  return entryIn(undefined, field, { slot: NO_SLOT, isSeenWhole: true });
}

/** Bytes that could not be dissected: the rest of the region in which something went wrong. */
export const UNDISSECTED_ENTRY = entryOf(UNDISSECTED);

/** Returns the same field with its class known: what a node of a polymorphic field refers to; undefined without one. */
export function withTag(entry: FieldEntry, tag: number): FieldEntry | undefined {
  const known = entry.variants?.get(tag);
  if (known !== undefined) return known;
  const struct = entry.family?.get(tag);
  if (struct === undefined) return undefined;
  const { name, descriptor } = entry.field;
  const variant = entryOf(new Field(name, { ...plain(descriptor), struct }));
  entry.variants ??= new Map();
  entry.variants.set(tag, variant);
  return variant;
}

/** Returns the same field with the type that its resolver has found. */
export function resolvedAs(entry: FieldEntry, type: Type<unknown>): FieldEntry {
  const known = entry.resolved?.get(type);
  if (known !== undefined) return known;
  const { field } = entry;
  const { name } = field;
  if (!isType(type)) {
    throw new TypeError(`${name}: a resolver returned ${String(type)}, which is neither a type nor a sentence`);
  }
  const { descriptor } = type;
  // Bytes are what a resolver falls back on.
  const inPlaceOf = descriptor.opcode === Opcode.Bytes ? field : undefined;
  const found = entryOf(new Field(name, { ...descriptor, ...namedIn(field.descriptor) }, inPlaceOf));
  entry.resolved ??= new WeakMap();
  entry.resolved.set(type, found);
  return found;
}

/** Returns a field of the same name for bytes that could not be dissected. */
export function opaque(entry: FieldEntry): FieldEntry {
  // Such bytes may be anything, whatever the declaration says.
  const { name, sensitive: own, descriptor } = entry.field;
  const sensitive = typeof own === "object" || isSensitive(own) ? own : "unknown";
  entry.opaque ??= entryOf(
    new Field(name, { ...namedIn(descriptor), opcode: Opcode.Bytes, kind: "bytes", width: 0, sensitive }, entry.field),
  );
  return entry.opaque;
}

/** The name that a descriptor gives in JSON, if any. */
function namedIn({ jsonName }: TypeDescriptor): Pick<TypeDescriptor, "jsonName"> {
  return jsonName === undefined ? {} : { jsonName };
}

/** Returns the descriptor without references to other fields, which mean nothing outside its struct. */
function plain(descriptor: TypeDescriptor): TypeDescriptor {
  const { opcode, kind, width, family, base, doc, inSummary } = descriptor;
  return {
    opcode,
    kind,
    width,
    ...(family && { family }),
    ...(base && { base }),
    ...(doc !== undefined && { doc }),
    ...(inSummary !== undefined && { inSummary }),
    ...namedIn(descriptor),
  };
}

function compiled(struct: Struct, wanted: readonly Wanted[]): StructTable {
  const own = struct.fields.flatMap((field) => [...referencesOf(field)]);
  const usages = new Map<string, Wanted["usage"]>();
  for (const { path, usage } of [...wanted, ...own]) {
    if (usages.get(path) !== "number") usages.set(path, usage);
  }
  const slots = new Map([...usages.keys()].map((path, slot) => [path, slot]));
  const owner: Owner = { usages, slots };
  const entries = struct.fields.map((field) => memberEntry(owner, field));
  const outer = [...slots.keys()].filter((path) => struct.isOuter(path));
  const bindsNames = struct.introduces !== undefined;
  return { struct, entries, segments: segmentsOf(entries), bindsNames, slotCount: slots.size, slots, outer };
}

/** The struct that fields are in: which numbers its fields use, and the slots in which these are kept. */
interface Owner {
  readonly usages: ReadonlyMap<string, Wanted["usage"]>;
  readonly slots: ReadonlyMap<string, number>;
}

/** What an entry has if its field is a member of a struct. */
type Member = Partial<Pick<FieldEntry, "slot" | "isSeenWhole" | "table" | "exports">>;

function memberEntry(owner: Owner, field: Field): FieldEntry {
  const { name, opcode, struct } = field;
  const isSeenWhole = owner.usages.get(name) === "number";
  const slot = owner.slots.get(name) ?? NO_SLOT;
  if (opcode !== Opcode.Struct || struct === undefined) return entryIn(owner, field, { slot, isSeenWhole });
  const wanted = [...owner.usages].flatMap(([path, usage]) =>
    path.startsWith(`${name}.`) ? [{ path: path.slice(name.length + 1), usage }] : [],
  );
  const table = tableOf(struct, wanted);
  const exports = wanted.map(({ path }) => ({
    from: slotIn(table, path, name),
    to: slotIn(owner, `${name}.${path}`, name),
  }));
  return entryIn(owner, field, { slot, isSeenWhole, table, exports });
}

function entryIn(owner: Owner | undefined, field: Field, member: Member = {}): FieldEntry {
  const { name, struct, family, inner, length, selector, choices, otherwise, compression, otherForm } = field;
  const { slot = NO_SLOT, isSeenWhole = false, exports = [], table = struct && tableOf(struct) } = member;
  const within = (one: Field) => entryIn(owner, one);
  const inSlot = (condition: Condition) => slotCondition(owner, condition, name);
  return new FieldEntry(field, {
    slot,
    isSeenWhole,
    table,
    exports,
    imports: (table?.outer ?? []).map((path) => ({
      from: slotIn(owner, path, name),
      to: table?.slots.get(path) ?? NO_SLOT,
    })),
    tag: family && tagOf(family),
    inner: inner && within(inner),
    elements: field.elements.map(within),
    conditions: field.conditions.map(inSlot),
    lengthSlot: lengthSlot(owner, length, name),
    selectorSlot: selector === undefined ? NO_SLOT : slotIn(owner, selector.field, name),
    choices: choices && new Map([...choices].map(([value, choice]) => [value, within(choice)])),
    otherwise: otherwise && within(otherwise),
    compressed: compression && inSlot(compression.when),
    inflatedLengthSlot: compression === undefined ? NO_SLOT : slotIn(owner, compression.inflatedLength, name),
    otherContent: otherForm && within(otherForm.content),
  });
}

const tags = new WeakMap<Family, FieldEntry>();

function tagOf(family: Family): FieldEntry {
  const known = tags.get(family) ?? wholeNumberEntry(family.tagField);
  tags.set(family, known);
  return known;
}

function slotIn(owner: Pick<Owner, "slots"> | undefined, path: string, name: string): number {
  const slot = owner?.slots.get(path);
  if (slot === undefined) throw new Error(`${name || "a type"} refers to ${path}, but is not in a struct`);
  return slot;
}

function slotCondition(owner: Owner | undefined, condition: Condition, name: string): SlotCondition {
  const { field, test, mask, operand } = condition;
  // A whole number of 32 bits with a sign is kept in the object itself, a larger one elsewhere.
  return { slot: slotIn(owner, field, name), test, mask: mask | 0, operand };
}

function lengthSlot(owner: Owner | undefined, { isRest, claimedBy }: Field["length"], name: string): number {
  if (isRest) return REST;
  return claimedBy === "" ? NO_SLOT : slotIn(owner, claimedBy, name);
}
