import type { Span } from "./expression.js";

/** What is wrong with a filter, or a path to a field, and where. */
export class FilterError extends Error {
  override readonly name = "FilterError";

  /**
   * @param reason what is wrong, as a sentence
   * @param expression the whole text
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

/** The expression with its place marked, in two lines that belong below each other. */
function pointed(expression: string, { start, length }: Span): [string, string] {
  // One column for each character, so that the mark stays below its place.
  const flat = (text: string) => text.replace(/\s/g, " ");
  const columns = (text: string) => [...text].length;
  const before = " ".repeat(columns(expression.slice(0, start)));
  const mark = "^".padEnd(Math.max(columns(expression.slice(start, start + length)), 1), "~");
  return [`  ${flat(expression)}`, `  ${before}${mark}`];
}
