/**
 * The grammar of display filters, from the inside out.
 *
 * Written with peberminta, combinators over the tokens of leac: both are typed throughout, have no dependencies, need
 * no build step, and load within 3 ms, only when a filter is used. Also considered: peggy (its actions are untyped
 * text, and its output has to be generated, or compiled at start), ohm-js (50 ms to start, results of type `any`),
 * chevrotain (requires Node 22), nearley and parsimmon (unmaintained). A handwritten parser would not be shorter.
 */
import type { Token } from "leac";
import {
  ab,
  abc,
  type Data,
  first,
  left,
  map,
  middle,
  option,
  type Parser,
  recursive,
  right,
  sepBy1,
} from "peberminta";
import type {
  Comparison,
  Expression,
  Literal,
  LiteralForm,
  Member,
  Operand,
  PathText,
  Slice,
  Span,
} from "./expression.js";
import { unescaped } from "./unescape.js";

/** How far parsing got: the furthest token that did not fit, and what was expected there. */
export interface Progress {
  furthest: number;
  readonly expected: Set<string>;
}

export type Rule<T> = Parser<Token, Progress, T>;

/** Matches a token with one of these names; `what` is what to call it if it is missing. */
export function token(what: string, ...names: readonly string[]): Rule<Token> {
  return ({ tokens, options }: Data<Token, Progress>, i: number) => {
    const value = tokens[i];
    if (value !== undefined && names.includes(value.name)) return { matched: true, position: i + 1, value };
    if (i > options.furthest) {
      options.furthest = i;
      options.expected.clear();
    }
    if (i === options.furthest) options.expected.add(what);
    return { matched: false };
  };
}

/** Matches a token that is called by its own text. */
function sign(name: string, ...others: readonly string[]): Rule<Token> {
  return token(`"${name}"`, name, ...others);
}

export function spanOf(token: Token, to: Token = token): Span {
  return { start: token.offset, length: to.offset + to.len - token.offset };
}

/** The path of a field. */
export const path: Rule<PathText> = map(token("the name of a field or message", "name"), (name) => {
  const isField = name.text.startsWith(".");
  return { ...spanOf(name), isField, names: (isField ? name.text.slice(1) : name.text).split(".") };
});

const FORMS: Readonly<Record<string, LiteralForm>> = {
  raw: "string",
  string: "string",
  time: "time",
  uuid: "uuid",
  bytes: "bytes",
  address: "address",
  ipv6: "address",
  number: "number",
  infinity: "word",
  hex: "word",
  name: "word",
};

function literalOf(token: Token): Literal {
  return { ...spanOf(token), form: FORMS[token.name] ?? "word", text: unescaped(token.name, token.text) };
}

const literal: Rule<Literal> = map(token("a value", ...Object.keys(FORMS)), literalOf);
const text: Rule<Literal> = map(token("a text in quotes", "raw", "string"), literalOf);

const digits = token("a number", "digits");
/** An offset, which may count from the end. */
const bound: Rule<number> = ab(option(sign("-"), undefined), digits, (minus, { text }) =>
  minus === undefined ? Number(text) : -Number(text),
);
const size: Rule<number> = map(digits, ({ text }) => Number(text));

type Extent = Omit<Slice, keyof Span>;

const extent: Rule<Extent> = first<Token, Progress, Extent>(
  abc(option(bound, 0), sign(":"), option(size, undefined), (from, _, to) => ({ from, to, inclusive: false })),
  ab(left(bound, sign("-")), bound, (from, to) => ({ from, to, inclusive: true })),
  map(bound, (from) => ({ from, to: 1, inclusive: false })),
);

const slice: Rule<Slice> = abc(sign("["), extent, sign("]"), (open, part, close) => ({
  ...spanOf(open, close),
  ...part,
}));

const operand: Rule<Operand> = abc(
  path,
  option(slice, undefined),
  option(right(sign("&"), literal), undefined),
  (path, slice, mask) => ({ path, slice, mask }),
);

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  "==": "==",
  eq: "==",
  any_eq: "==",
  "!=": "!=",
  ne: "!=",
  all_ne: "!=",
  "===": "===",
  all_eq: "===",
  "!==": "!==",
  any_ne: "!==",
  "<": "<",
  lt: "<",
  "<=": "<=",
  le: "<=",
  ">": ">",
  gt: ">",
  ">=": ">=",
  ge: ">=",
};

/** What follows an operand. */
type Relation = (operand: Operand) => Expression;

const OPERATOR = "an operator";

const comparison: Rule<Relation> = ab(
  token(OPERATOR, ...Object.keys(COMPARISONS)),
  literal,
  ({ name }, value): Relation =>
    (operand) => ({ kind: "compare", operand, comparison: COMPARISONS[name] ?? "==", value }),
);

const search: Rule<Relation> = first<Token, Progress, Relation>(
  map(right(token(OPERATOR, "contains"), literal), (value) => (operand) => ({ kind: "contains", operand, value })),
  map(right(token(OPERATOR, "matches", "~"), text), (value) => (operand) => ({ kind: "matches", operand, value })),
);

const member: Rule<Member> = ab(literal, option(right(sign(".."), literal), undefined), (first, last) => ({
  first,
  last,
}));
const members = middle(sign("{"), sepBy1(member, sign(",")), sign("}"));

const isIn: Rule<Relation> = map(right(token(OPERATOR, "in"), members), (members) => (operand) => ({
  kind: "in",
  operand,
  members,
}));
const isNotIn: Rule<Relation> = map(right(token(OPERATOR, "not"), isIn), (relation) => (operand) => ({
  kind: "not",
  term: relation(operand),
}));

const exists: Relation = (operand) => ({ kind: "exists", operand });

const test: Rule<Expression> = ab(
  operand,
  option(first(comparison, search, isIn, isNotIn), exists),
  (operand, relation) => relation(operand),
);

const negation: Rule<Expression> = map(
  right(
    sign("not", "!"),
    recursive(() => term),
  ),
  (term) => ({ kind: "not", term }),
);

const parenthesised: Rule<Expression> = middle(
  sign("("),
  recursive(() => disjunction),
  sign(")"),
);

const term: Rule<Expression> = first(negation, parenthesised, test);

const conjunction: Rule<Expression> = map(sepBy1(term, sign("and", "&&")), joined("and"));
/** A whole filter. */
export const disjunction: Rule<Expression> = map(sepBy1(conjunction, sign("or", "||")), joined("or"));

function joined(kind: "and" | "or"): (terms: readonly [Expression, ...Expression[]]) => Expression {
  return (terms) => (terms.length === 1 ? terms[0] : { kind, terms });
}
