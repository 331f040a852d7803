import type { Message } from "../dissect/message.js";
import type { Dissector } from "../dissector/dissector.js";
import { dissectors as builtIn } from "./dissectors.js";

/**
 * Compiles an expression, as accepted by `-Y`, to a display filter: see `docs/filters.md`.
 *
 * @param dissectors whose fields, classes and messages it may name; by default, the built-in ones
 * @returns a function that decides whether a message passes
 * @throws FilterError if the expression is not a filter, or names something that does not exist
 */
export async function displayFilter(
  expression: string,
  dissectors: readonly Dissector[] = builtIn,
): Promise<(message: Message) => boolean> {
  // The parser is loaded only if there is something to parse, so that nobody else has to wait for it.
  const { compileFilter, Vocabulary } = await import("../filter/index.js");
  return compileFilter(expression, Vocabulary.of(dissectors));
}
