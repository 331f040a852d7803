import { uniformly } from "../output/json/json-names.js";
import { type ColumnType, rawName } from "../schema/columns/column-type.js";
import { type Field, UNDISSECTED_NAME } from "../schema/language/field.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import type { Struct } from "../schema/language/struct.js";
import type { Append } from "./append-leaf.js";
import type { Builder } from "./columns/builder.js";
import { fromJson } from "./from-json.js";
import type { Value } from "./table.js";

/** Returns what adds the values of a field to a column, or to a part of one. @param isRaw true for numbers behind names */
export type AppendField = (builder: Builder, field: Field, isRaw: boolean) => Append;

/** Where the values of a field go: the position of a column, and that of the number behind a name. */
interface Member {
  readonly at: number;
  readonly append: Append | undefined;
  readonly rawAt: number;
  readonly rawAppend: Append | undefined;
}

const NOWHERE: Member = { at: -1, append: undefined, rawAt: -1, rawAppend: undefined };

/** A value that follows from others. */
interface DerivedMember {
  readonly at: number;
  readonly value: (nodes: FieldTree, node: number) => Value;
  readonly append: Append;
}

/** Which of the columns of a table, or of a struct in one, the fields of a struct in a tree belong to. */
export class StructFields {
  /** For each column, what adds its value, and the node with it; undefined if it has none. */
  readonly appends: (Append | undefined)[];
  readonly nodes: number[];
  /** The columns that have a value. */
  readonly found: number[] = [];
  readonly #columns = new Map<string, number>();
  /** By the fields of a tree, of which there may be several for one column. */
  readonly #members = new Map<Field, Member>();
  readonly #derived = new Map<Struct, readonly DerivedMember[]>();
  readonly #derivedValues: Value[] = [];
  /** The fields of the struct that came last, in order: most likely, the same come again. */
  readonly #recent: { readonly field: Field; readonly member: Member }[] = [];
  /** How many fields it had; -1 if what was found does not only depend on them. */
  #recentCount = -1;
  #recentFits = true;

  /**
   * @param appendField returns what adds the values of a field to a column
   * @param renamed the names of columns for fields that do not have their own name
   */
  constructor(
    readonly columns: readonly { readonly name: string; readonly type: ColumnType }[],
    readonly builders: readonly Builder[],
    readonly appendField: AppendField,
    readonly renamed: (name: string) => string = (name) => name,
  ) {
    this.appends = columns.map(() => undefined);
    this.nodes = columns.map(() => 0);
    // What SQL cannot tell apart is one column.
    for (const [at, { name }] of columns.entries()) this.#columns.set(name.toLowerCase(), at);
  }

  /** Looks where the values of a struct go; false if not all of them fit the columns. */
  find(nodes: FieldTree, node: number): boolean {
    if (this.#findRecent(nodes, node)) return this.#recentFits;
    for (const at of this.found) this.appends[at] = undefined;
    this.found.length = 0;
    let fits = true;
    const { family, struct } = nodes.field(node);
    const tag = family?.tagField;
    const end = nodes.nextOf(node);
    let count = 0;
    for (let child = node + 1; child < end; child = nodes.nextOf(child)) {
      const field = nodes.field(child);
      const member = this.#member(count, field, tag);
      this.#recent[count++] = { field, member };
      const { at, append, rawAt, rawAppend } = member;
      if (append !== undefined) this.#take(at, append, child);
      else if (field !== tag && !isEmpty(field)) fits = false;
      if (rawAppend !== undefined) this.#take(rawAt, rawAppend, child);
    }
    const hasDerived = struct !== undefined && struct.derived.length > 0;
    if (hasDerived) this.#derive(struct, nodes, node);
    this.#recentCount = hasDerived ? -1 : count;
    this.#recentFits = fits;
    return fits;
  }

  /** Does the same for a struct with the same fields as the last one; false if it has others. */
  #findRecent(nodes: FieldTree, node: number): boolean {
    const count = this.#recentCount;
    if (count < 0) return false;
    const { fields } = nodes;
    const end = nodes.nextOf(node);
    let index = 0;
    for (let child = node + 1; child < end; child = nodes.nextOf(child), index++) {
      const recent = index < count ? this.#recent[index] : undefined;
      if (recent === undefined || recent.field !== fields[child]) return false;
      const { at, rawAt } = recent.member;
      if (at >= 0) this.nodes[at] = child;
      if (rawAt >= 0) this.nodes[rawAt] = child;
    }
    return index === count;
  }

  #take(at: number, append: Append, node: number): void {
    if (this.appends[at] === undefined) this.found.push(at);
    this.appends[at] = append;
    this.nodes[at] = node;
  }

  #member(index: number, field: Field, tag: Field | undefined): Member {
    // The name of the table says the same.
    if (field === tag) return NOWHERE;
    const recent = this.#recent[index];
    if (recent !== undefined && recent.field === field) return recent.member;
    let member = this.#members.get(field);
    if (member === undefined) {
      member = this.#memberOf(field);
      this.#members.set(field, member);
    }
    return member;
  }

  #memberOf(field: Field): Member {
    const isDissected = field.name !== UNDISSECTED_NAME;
    const at = isDissected ? this.#at(field.jsonName) : -1;
    const rawAt = isDissected && at >= 0 && hasNames(field) ? this.#at(rawName(field.jsonName)) : -1;
    const [builder, rawBuilder] = [this.builders[at], this.builders[rawAt]];
    return {
      at,
      append: builder && this.appendField(builder, field, false),
      rawAt,
      rawAppend: rawBuilder && this.appendField(rawBuilder, field, true),
    };
  }

  #at(name: string): number {
    return this.#columns.get(this.renamed(name).toLowerCase()) ?? -1;
  }

  #derive(struct: Struct, nodes: FieldTree, node: number): void {
    let members = this.#derived.get(struct);
    if (members === undefined) {
      members = this.#derivedOf(struct);
      this.#derived.set(struct, members);
    }
    for (const { at, value, append } of members) {
      const json = value(nodes, node);
      if (json === undefined) continue;
      this.#derivedValues[at] = json;
      this.#take(at, append, node);
    }
  }

  #derivedOf({ derived }: Struct): DerivedMember[] {
    return derived.flatMap((one) => {
      const at = this.#at(one.name);
      const [builder, column] = [this.builders[at], this.columns[at]];
      if (builder === undefined || column === undefined) return [];
      const json = uniformly(one);
      const value = (nodes: FieldTree, node: number) => {
        const made = json(nodes, node);
        return made === undefined ? undefined : (fromJson(column.type, made) ?? null);
      };
      const append: Append = (_nodes, _node, repetition) => builder.add(this.#derivedValues[at], repetition);
      return [{ at, value, append }];
    });
  }
}

/** True for a field without a value: a struct of no fields. */
function isEmpty({ struct }: Field): boolean {
  return struct !== undefined && struct.fields.length === 0;
}

function hasNames({ meaning, inner }: Field): boolean {
  if (inner !== undefined) return hasNames(inner);
  return meaning?.form === "enumeration" || meaning?.form === "flags" || meaning?.form === "text";
}
