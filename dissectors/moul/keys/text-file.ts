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
 * The lines of a text in UTF-8, or in UTF-16 with a byte order mark (what Windows editors call "Unicode" and "Unicode
 * big endian"). Undefined if the bytes are not text: they hold a NUL character.
 */
export function linesOfText(bytes: Uint8Array): string[] | undefined {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes);
  return text.includes("\0") ? undefined : text.split(/\r\n|\r|\n/);
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
