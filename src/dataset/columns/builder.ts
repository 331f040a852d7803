import type { ColumnType, ScalarType } from "../../schema/columns/column-type.js";
import type { Value } from "../table.js";
import type { Memory } from "./growing.js";
import { Leaf } from "./leaf.js";

/** Where in lists and structs something is. */
interface Place {
  /** The definition level of what is around it. */
  readonly definition: number;
  /** The number of lists around it. */
  readonly lists: number;
  readonly memory: Memory;
  /** True for values that hardly ever repeat. */
  readonly isUnique: boolean;
}

/** Takes the values of a column, or of a part of one, apart into leaves. */
export type Builder = ScalarBuilder | ListBuilder | StructBuilder;

/** Returns what takes values of a type apart. */
export function builderOf(type: ColumnType, place: Place): Builder {
  switch (type.kind) {
    case "list":
      return new ListBuilder(type.element, place);
    case "struct":
      return new StructBuilder(type.columns, place);
    default:
      return new ScalarBuilder(type.kind, place);
  }
}

/** Single values. */
export class ScalarBuilder {
  readonly leaf: Leaf;
  readonly leaves: readonly Leaf[];

  constructor(
    readonly kind: ScalarType,
    { definition, lists, memory, isUnique }: Place,
  ) {
    this.leaf = new Leaf(kind, definition + 1, lists, memory, isUnique);
    this.leaves = [this.leaf];
  }

  /** Adds a value; false if it does not fit. @param repetition the list that goes on with it: 0 for a new row */
  add(value: Value, repetition: number): boolean {
    if (value !== null && value !== undefined) return this.leaf.add(value, repetition);
    this.absent(this.leaf.deepest - 1, repetition);
    return true;
  }

  /** Adds nothing. @param definition how much of what is around it is there */
  absent(definition: number, repetition: number): void {
    this.leaf.absent(definition, repetition);
  }
}

/** Lists. */
export class ListBuilder {
  readonly element: Builder;
  readonly leaves: readonly Leaf[];
  /** The definition level of a list that has no elements; the repetition level of its second element. */
  readonly empty: number;
  readonly next: number;

  constructor(element: ColumnType, place: Place) {
    const { definition, lists } = place;
    this.empty = definition + 1;
    this.next = lists + 1;
    this.element = builderOf(element, { ...place, definition: definition + 2, lists: this.next });
    this.leaves = this.element.leaves;
  }

  add(value: Value, repetition: number): boolean {
    if (value === null || value === undefined) {
      this.absent(this.empty - 1, repetition);
      return true;
    }
    if (!Array.isArray(value)) return false;
    if (value.length === 0) this.absent(this.empty, repetition);
    const elements: readonly Value[] = value;
    let next = repetition;
    for (const one of elements) {
      if (!this.element.add(one, next)) return false;
      next = this.next;
    }
    return true;
  }

  absent(definition: number, repetition: number): void {
    this.element.absent(definition, repetition);
  }
}

/** Structs. */
export class StructBuilder {
  readonly members: readonly Builder[];
  readonly leaves: readonly Leaf[];
  /** The definition level of a struct that is there, with nothing in it. */
  readonly present: number;

  constructor(
    readonly columns: readonly { readonly name: string; readonly type: ColumnType }[],
    place: Place,
  ) {
    this.present = place.definition + 1;
    this.members = columns.map(({ type }) => builderOf(type, { ...place, definition: this.present }));
    this.leaves = this.members.flatMap(({ leaves }) => leaves);
  }

  add(value: Value, repetition: number): boolean {
    if (value === null || value === undefined) {
      this.absent(this.present - 1, repetition);
      return true;
    }
    if (typeof value !== "object" || Array.isArray(value) || value instanceof Uint8Array) return false;
    const given = new Map<string, Value>(Object.entries(value));
    return this.members.every((member, at) => member.add(given.get(this.columns[at]?.name ?? ""), repetition));
  }

  absent(definition: number, repetition: number): void {
    for (const leaf of this.leaves) leaf.absent(definition, repetition);
  }
}
