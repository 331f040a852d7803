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
 * The lines of a text in UTF-8, or in UTF-16 with a little-endian byte order mark (what Windows editors call
 * "Unicode"). Undefined if the bytes are not text: they hold a NUL character.
 */
export function linesOfText(bytes: Uint8Array): string[] | undefined {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
  const text = new TextDecoder(encoding).decode(bytes);
  return text.includes("\0") ? undefined : text.split(/\r\n|\r|\n/);
}
