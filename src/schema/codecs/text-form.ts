import { asString } from "../encode/encode-leaf.js";
import type { CopyAscii } from "../language/codec.js";
import { copyCounted, copyCountedUtf16, copyUnits, copyWhole } from "../tree/copy-text.js";
import { decodeText, decodeUtf16, readText, readUtf16 } from "../tree/text.js";

/** How the characters of a text are read and written, once it is known where they are. */
export interface TextForm {
  readonly read: (bytes: Uint8Array, start: number, end: number) => string;
  readonly copyAscii: CopyAscii;
  readonly write: (value: unknown) => Uint8Array;
}

/**
 * Returns the form of a text in an encoding.
 *
 * @param endsWithZero true if the usual writer puts a zero at its end; such a zero is not shown, and may be missing
 */
export function textForm(encoding: "utf8" | "utf16le", endsWithZero: boolean): TextForm {
  const zero = endsWithZero ? "\0" : "";
  const write = (value: unknown) => Buffer.from(`${asString(value)}${zero}`, encoding);
  if (encoding === "utf16le") {
    return endsWithZero
      ? { read: readUtf16, copyAscii: copyCountedUtf16, write }
      : { read: decodeUtf16, copyAscii: copyUnits, write };
  }
  return endsWithZero
    ? { read: readText, copyAscii: copyCounted, write }
    : { read: (bytes, start, end) => decodeText(bytes.subarray(start, end)), copyAscii: copyWhole, write };
}
