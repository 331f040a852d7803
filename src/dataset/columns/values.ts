import type { Value } from "../table.js";

/** The least and the greatest of some values. */
export interface Bounds {
  readonly least: number | bigint | string;
  readonly most: number | bigint | string;
}

/**
 * Values as they are written: little-endian numbers; texts in UTF-8 and bytes with their length in 32 bits before them;
 * a byte for each boolean.
 */
export interface Encoded {
  /** The values one after the other; with indexes, each different one. */
  readonly bytes: Uint8Array;
  /** How many values these bytes are. */
  readonly count: number;
  /** Which of them each value is; undefined if they are not told apart. */
  readonly indexes?: Int32Array | undefined;
  /** Undefined where they are not known, or there is no value. */
  readonly bounds?: Bounds | undefined;
}

/** Values of a column that were gathered elsewhere: whatever `append` of the same column needs to have them as well. */
export interface ValuesPart {
  /** The values one after the other; with indexes, each different one. */
  readonly bytes: Uint8Array;
  readonly indexes?: Int32Array;
  /** False if one of the different values may not have been taken. */
  readonly isExact: boolean;
}

/** A number for each of some rows, in columns side by side: for a text, which of the different ones it is. */
export interface Rows {
  /** The numbers: those of a column are every `stride` places, from `first` on. Wide ones have two places. */
  readonly numbers: Float64Array;
  /** Their levels, in the same places. */
  readonly levels: Uint8Array;
  readonly first: number;
  readonly stride: number;
  readonly count: number;
  /** The level of those that are there. */
  readonly level: number;
}

/** The values of a column that are not null, as they come. */
export interface Values {
  readonly count: number;
  /** Adds a value; false if it is not of this type. */
  add(value: Value): boolean;
  /** Puts a value where `addColumn` takes it from; false if it is not of this type. */
  put(value: Value, numbers: Float64Array, at: number): boolean;
  /** True if what `put` has put somewhere can be copied elsewhere. */
  readonly isCopyable: boolean;
  /** Adds the values of rows. */
  addColumn(rows: Rows): void;
  /** Takes the last values away. */
  drop(count: number): void;
  /** How many bytes they take. */
  readonly size: number;
  readonly part: ValuesPart;
  /** Adds values that were gathered elsewhere, by the same calls. */
  append(part: ValuesPart): void;
  encoded(): Encoded;
  clear(): void;
}
