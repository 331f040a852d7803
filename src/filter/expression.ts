/** A stretch of the text of an expression. */
export interface Span {
  readonly start: number;
  readonly length: number;
}

/** Names from the outer to the inner: `events.hitter`. A leading dot says that a field of the message is meant. */
export interface PathText extends Span {
  readonly names: readonly string[];
  readonly isField: boolean;
}

/** How a value was written. A `word` is a name, such as that of an enum's value, or hexadecimal digits. */
export type LiteralForm = "string" | "word" | "number" | "bytes" | "address" | "uuid" | "time";

/** A value as it was written; of a string what it stands for. */
export interface Literal extends Span {
  readonly form: LiteralForm;
  readonly text: string;
}

/** Part of a value, from `from` on (below 0: counted from its end). */
export interface Slice extends Span {
  readonly from: number;
  /** Number of bytes or characters; where `inclusive`, the last one, with its sign. Undefined: up to the end. */
  readonly to: number | undefined;
  readonly inclusive: boolean;
}

/** What stands on the left: a path, perhaps a part of its value, perhaps some bits of it. */
export interface Operand {
  readonly path: PathText;
  readonly slice: Slice | undefined;
  readonly mask: Literal | undefined;
}

/**
 * How an operand is compared. Of an operand with several values one has to satisfy the comparison; of `!=` and `===`
 * each of them.
 */
export type Comparison = "==" | "!=" | "===" | "!==" | "<" | "<=" | ">" | ">=";

/** A member of a set: a value, or all from one to another. */
export interface Member {
  readonly first: Literal;
  readonly last: Literal | undefined;
}

/** A display filter. */
export type Expression =
  | { readonly kind: "or" | "and"; readonly terms: readonly Expression[] }
  | { readonly kind: "not"; readonly term: Expression }
  | { readonly kind: "exists"; readonly operand: Operand }
  | {
      readonly kind: "compare";
      readonly operand: Operand;
      readonly comparison: Comparison;
      readonly value: Literal;
    }
  | { readonly kind: "contains" | "matches"; readonly operand: Operand; readonly value: Literal }
  | { readonly kind: "in"; readonly operand: Operand; readonly members: readonly Member[] };
