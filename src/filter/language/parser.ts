import type { Token } from "leac";
import { eitherOr, end, left, tryParse } from "peberminta";
import type { Expression, PathText } from "./expression.js";
import { FilterError } from "./filter-error.js";
import { disjunction, type Progress, path, type Rule, spanOf, token } from "./grammar.js";
import { tokensOf } from "./lexer.js";

/** Most levels of parentheses or `not`: far more than anyone writes, far fewer than the stack holds. */
const DEEPEST = 100;

/** Parses a display filter. Throws a `FilterError` that says where it goes wrong. */
export function parseFilter(text: string): Expression {
  return parsed(disjunction, text);
}

/** Parses the path of a field. Throws a `FilterError` that says where it goes wrong. */
export function parsePath(text: string): PathText {
  return parsed(path, text);
}

function parsed<T>(rule: Rule<T>, text: string): T {
  const tokens = tokensOf(text);
  refuseDeep(text, tokens);
  const progress: Progress = { furthest: -1, expected: new Set() };
  const value = tryParse(left(rule, eitherOr(end, token("the end"))), tokens, progress);
  if (value !== undefined) return value;
  const wrong = tokens[progress.furthest];
  const span = wrong === undefined ? { start: text.trimEnd().length, length: 1 } : spanOf(wrong);
  throw new FilterError(complaint(wrong, [...progress.expected]), text, span);
}

function complaint(wrong: Token | undefined, expected: readonly string[]): string {
  if (wrong?.name === "=") return "a single = means nothing; to compare, write ==";
  const wanted = `${expected.slice(0, -1).join(", ")}${expected.length > 1 ? " or " : ""}${expected.at(-1) ?? "nothing"}`;
  return `${wrong === undefined ? "the expression ends" : `found ${/^r?["']/.test(wrong.text) ? wrong.text : `"${wrong.text}"`}`} where ${wanted} should be`;
}

function refuseDeep(text: string, tokens: readonly Token[]): void {
  let depth = 0;
  let row = 0;
  for (const token of tokens) {
    row = token.name === "not" || token.name === "!" ? row + 1 : 0;
    if (token.name === "(") depth++;
    if (token.name === ")") depth--;
    if (depth > DEEPEST || row > DEEPEST) throw new FilterError("this is nested too deeply", text, spanOf(token));
  }
}
