import { type ColumnType, rawName } from "../../schema/columns/column-type.js";
import { type Field, UNDISSECTED_NAME } from "../../schema/language/field.js";
import type { Struct } from "../../schema/language/struct.js";
import type { Builder } from "../columns/builder.js";
import { derivedPart } from "./derived-part.js";
import type { DerivedMember, Member, Members, Part } from "./part.js";

/** Which of the columns of a table, or of a struct in one, the fields of a struct in a tree belong to. */
export class StructFields implements Members {
  readonly #columns = new Map<string, number>();
  /** By the fields of a tree, of which there may be several for one column. */
  readonly #members = new Map<Field, Member>();

  /**
   * @param partOf returns what a field is in a column
   * @param renamed the names of columns for fields that do not have their own name
   */
  constructor(
    readonly columns: readonly { readonly name: string; readonly type: ColumnType }[],
    readonly builders: readonly Builder[],
    readonly partOf: (builder: Builder, field: Field, isRaw: boolean) => Part,
    readonly renamed: (name: string) => string = (name) => name,
  ) {
    // What SQL cannot tell apart is one column.
    for (const [at, { name }] of columns.entries()) this.#columns.set(name.toLowerCase(), at);
  }

  member(field: Field): Member {
    let member = this.#members.get(field);
    if (member === undefined) {
      member = this.#memberOf(field);
      this.#members.set(field, member);
    }
    return member;
  }

  /** @param absent the definition level of a value that is not there */
  derived({ derived }: Struct, absent: number): readonly DerivedMember[] {
    return derived.flatMap((one) => {
      const at = this.#at(one.name);
      const [builder, column] = [this.builders[at], this.columns[at]];
      if (builder === undefined || column === undefined) return [];
      return [{ at, part: derivedPart(builder, column.type, one, absent) }];
    });
  }

  #memberOf(field: Field): Member {
    const isDissected = field.name !== UNDISSECTED_NAME;
    const at = isDissected ? this.#at(field.jsonName) : -1;
    const rawAt = isDissected && at >= 0 && hasNames(field) ? this.#at(rawName(field.jsonName)) : -1;
    const [builder, rawBuilder] = [this.builders[at], this.builders[rawAt]];
    return {
      at,
      part: builder && this.partOf(builder, field, false),
      rawAt,
      rawPart: rawBuilder && this.partOf(rawBuilder, field, true),
    };
  }

  #at(name: string): number {
    return this.#columns.get(this.renamed(name).toLowerCase()) ?? -1;
  }
}

function hasNames({ meaning, inner }: Field): boolean {
  if (inner !== undefined) return hasNames(inner);
  return meaning?.form === "enumeration" || meaning?.form === "flags" || meaning?.form === "text";
}
