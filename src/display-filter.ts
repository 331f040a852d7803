import type { Message } from "./dissect/message.js";
import type { Dissector } from "./session/dissector.js";

/**
 * Makes a display filter of an expression, as `-Y` takes it: see `src/filter/README.md`.
 *
 * @param dissectors whose fields, classes and messages it may name
 * @returns what tells whether a message passes
 * @throws FilterError if it is no filter, or names something that does not exist
 */
export async function displayFilter(
  expression: string,
  dissectors: readonly Dissector[],
): Promise<(message: Message) => boolean> {
  // Its parser is loaded only when there is something to parse: the others need not wait for it.
  const { compileFilter, Vocabulary } = await import("./filter/index.js");
  return compileFilter(expression, Vocabulary.of(dissectors));
}
