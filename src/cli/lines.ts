import { constants } from "node:buffer";
import { StringDecoder } from "node:string_decoder";
import { whyUnreadable } from "../platform/node/file-error.js";

/** Why lines cannot be read; the message is made to follow a colon. */
export class LinesError extends Error {
  override readonly name = "LinesError";
}

/** The encoding of a text, by its first bytes: UTF-8 never begins like the byte order mark of UTF-16. */
export function encodingOf(start: Uint8Array): "utf8" | "utf16le" {
  return start[0] === 0xff ? "utf16le" : "utf8";
}

/**
 * Yields the lines of a text without their ends, `\n` or `\r\n`: other line separators of Unicode may occur inside
 * JSON. The text is UTF-8, or UTF-16 with a byte order mark, as Windows PowerShell writes the output of a program.
 *
 * @param longest the most characters that a line may have
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

/** A line without a trailing `\r`; the first one without a byte order mark. */
function lineOf(text: string, number: number): string {
  const line = text.endsWith("\r") ? text.slice(0, -1) : text;
  return number === 1 ? line.replace(/^\ufeff/, "") : line;
}
