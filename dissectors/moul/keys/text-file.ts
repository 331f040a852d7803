/** The name of a file without its folders. */
export function baseName(path: string): string {
  return path.replace(/^.*[/\\]/s, "");
}

/** A key file that is text. */
export interface TextFile {
  /** The file's name without its folders. */
  readonly name: string;
  /** The lines without their ends; line 1 is the first. */
  readonly lines: readonly string[];
}

/**
 * The lines of a text in UTF-8 or UTF-16 (what Windows editors call "Unicode" and "Unicode big endian"), with a byte
 * order mark or without. Undefined if the bytes are not text: they hold a NUL character, which may only pad the end.
 */
export function linesOfText(bytes: Uint8Array): string[] | undefined {
  const decoded = new TextDecoder(encodingOf(bytes)).decode(bytes);
  let end = decoded.length;
  while (decoded.charCodeAt(end - 1) === 0) end--;
  const text = decoded.slice(0, end);
  return text.includes("\0") ? undefined : text.split(/\r\n|\r|\n/);
}

/** Without a mark, UTF-16 is told by the zero beside the first character, as formats begin in ASCII. */
function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? "utf-16be" : "utf-8";
}
