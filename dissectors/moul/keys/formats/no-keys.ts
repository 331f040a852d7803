import type { Remarks } from "../remarks.js";
import type { TextFile } from "../text-file.js";

/** The lines of a format that hold keys. */
interface KeyLines {
  /** Matches such a line without its comment mark. */
  readonly pattern: RegExp;
  /** What they are called, to follow "missing are". */
  readonly names: string;
}

/**
 * Remarks that a file holds no keys of servers, and whether the lines that would hold them are commented out or which
 * ones are missing. Does nothing if remarks already say what is wrong with the keys, or if the file has keys of another
 * kind and no such lines.
 */
export function remarkNoKeys(file: TextFile, remarks: Remarks, { pattern, names }: KeyLines, hasOthers = false): void {
  if (remarks.hasErrors) return;
  const index = file.lines.findIndex((line) => {
    const comment = /^[ \t]*#+[ \t]*(.*)$/s.exec(line)?.[1];
    return comment !== undefined && pattern.test(comment);
  });
  const isCommentedOut = index >= 0;
  if (hasOthers) {
    if (isCommentedOut) remarks.error("no keys of servers in this file: their lines are commented out", index + 1);
  } else if (isCommentedOut) remarks.error("no keys in this file: every key line is commented out", index + 1);
  else remarks.error(`no keys in this file: missing are ${names}`);
}
