import type { Span } from "./expression.js";

/** Says what is wrong with a filter or a path to a field, and where. */
export class FilterError extends Error {
  override readonly name = "FilterError";

  /**
   * @param reason what is wrong, as a sentence
   * @param expression the whole expression
   * @param span the place in it
   */
  constructor(
    readonly reason: string,
    readonly expression: string,
    readonly span: Span,
  ) {
    super([reason, ...pointed(expression, span)].join("\n"));
  }
}

/** Returns the expression, and below it a line that marks the place. */
function pointed(expression: string, { start, length }: Span): [string, string] {
  // One column per character, so that the mark is below its place.
  const flat = (text: string) => text.replace(/\s/g, " ");
  const columns = (text: string) => [...text].length;
  const before = " ".repeat(columns(expression.slice(0, start)));
  const mark = "^".padEnd(Math.max(columns(expression.slice(start, start + length)), 1), "~");
  return [`  ${flat(expression)}`, `  ${before}${mark}`];
}
