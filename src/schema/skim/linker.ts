import type { FieldEntry, StructTable } from "../table/struct-table.js";
import type { Keep, Kept } from "./kept.js";
import type { Skim, SkimState } from "./skim-state.js";

/**
 * How the bytes end in which a value is: those of a region end where it ends (`bounded`); to those that have come so far,
 * more may be added (`open`).
 */
export type Ending = "bounded" | "open";

/** In which way a type is compiled. */
export interface Manner {
  readonly ending: Ending;
  readonly keep: Keep;
}

/** Finds what compiled code refers to, without compiling it before it is called. */
export interface Linker {
  readonly state: SkimState;
  readonly kept: Kept;
  /** Returns the program for the fields of a struct. */
  ofTable(table: StructTable, manner: Manner): { readonly skim: Skim };
  /** Returns what finds the program for the class of a polymorphic field, by its tag. */
  classesOf(entry: FieldEntry, manner: Manner): object;
  /**
   * Returns what finds the program for a type that depends on earlier fields.
   *
   * @param earlier the leaves of the struct, in the order in which their places are given
   */
  resolverOf(entry: FieldEntry, earlier: readonly FieldEntry[], manner: Manner): object;
}
