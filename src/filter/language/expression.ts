/** A part of the text of an expression. */
export interface Span {
  readonly start: number;
  readonly length: number;
}

/** Names from the outside in: `events.hitter`. A leading dot says that a field within the message is meant. */
export interface PathText extends Span {
  readonly names: readonly string[];
  readonly isField: boolean;
}

/** How a value was written. A `word` is a name, such as that of an enum's value, or hexadecimal digits. */
export type LiteralForm = "string" | "word" | "number" | "bytes" | "address" | "uuid" | "time";

/** A value as it was written; for a string, what it stands for. */
export interface Literal extends Span {
  readonly form: LiteralForm;
  readonly text: string;
}

/** Part of a value, from `from` on (below 0: counted from its end). */
export interface Slice extends Span {
  readonly from: number;
  /** Number of bytes or characters; if `inclusive`, the last one, with its sign. Undefined: up to the end. */
  readonly to: number | undefined;
  readonly inclusive: boolean;
}

/** The left side of a comparison: a path, perhaps with a part of its value, or some of its bits. */
export interface Operand {
  readonly path: PathText;
  readonly slice: Slice | undefined;
  readonly mask: Literal | undefined;
}

/**
 * How an operand is compared. If it has several values, one of them has to satisfy the comparison; for `!=` and `===`,
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
