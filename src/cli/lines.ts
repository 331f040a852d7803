import { constants } from "node:buffer";
import { StringDecoder } from "node:string_decoder";
import { whyUnreadable } from "../file-error.js";

/** Why lines cannot be read: its message goes behind a colon. */
export class LinesError extends Error {
  override readonly name = "LinesError";
}

/**
 * The lines of a text in UTF-8, without their ends: `\n` or `\r\n`. What else Unicode calls the end of a line may stand
 * in a text of JSON.
 *
 * @param longest characters that one line may have
 * @throws LinesError from the iterator
 */
export async function* linesOf(
  input: AsyncIterable<Uint8Array | string>,
  longest = constants.MAX_STRING_LENGTH,
): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let line: string[] = [];
  let length = 0;
  let number = 1;
  try {
    for await (const chunk of input) {
      const [end = "", ...others] = decoder.write(chunk).split("\n");
      length += end.length;
      if (length > longest) throw new Error(`line ${number} is too long`);
      line.push(end);
      for (const begun of others) {
        yield withoutReturn(line.join(""));
        number++;
        line = [begun];
        length = begun.length;
      }
    }
  } catch (error) {
    throw new LinesError(whyUnreadable(error));
  }
  const last = line.join("") + decoder.end();
  if (last !== "") yield withoutReturn(last);
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
