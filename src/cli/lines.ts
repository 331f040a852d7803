import { constants } from "node:buffer";
import { StringDecoder } from "node:string_decoder";
import { whyUnreadable } from "../file-error.js";

/** Why lines cannot be read: its message goes behind a colon. */
export class LinesError extends Error {
  override readonly name = "LinesError";
}

/** How a text is encoded, by its first bytes: UTF-8 never begins like the mark of UTF-16. */
export function encodingOf(start: Uint8Array): "utf8" | "utf16le" {
  return start[0] === 0xff ? "utf16le" : "utf8";
}

/**
 * The lines of a text without their ends: `\n` or `\r\n`. What else Unicode calls the end of a line may stand in a text
 * of JSON. It is in UTF-8, or in UTF-16 with a byte order mark, as Windows PowerShell writes what a program prints.
 *
 * @param longest characters that one line may have
 * @throws LinesError from the iterator
 */
export async function* linesOf(
  input: AsyncIterable<Uint8Array | string>,
  longest = constants.MAX_STRING_LENGTH,
): AsyncGenerator<string> {
  let decoder: StringDecoder | undefined;
  let line: string[] = [];
  let length = 0;
  let number = 1;
  try {
    for await (const chunk of input) {
      decoder ??= new StringDecoder(typeof chunk === "string" ? "utf8" : encodingOf(chunk));
      const [end = "", ...others] = decoder.write(chunk).split("\n");
      length += end.length;
      if (length > longest) throw new Error(`line ${number} is too long`);
      line.push(end);
      for (const begun of others) {
        yield lineOf(line.join(""), number);
        number++;
        line = [begun];
        length = begun.length;
      }
    }
  } catch (error) {
    throw new LinesError(whyUnreadable(error));
  }
  const last = line.join("") + (decoder?.end() ?? "");
  if (last !== "") yield lineOf(last, number);
}

/** A line without the rest of its end; the first one without a byte order mark. */
function lineOf(text: string, number: number): string {
  const line = text.endsWith("\r") ? text.slice(0, -1) : text;
  return number === 1 ? line.replace(/^\ufeff/, "") : line;
}
