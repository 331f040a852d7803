import type { Remarks } from "./remarks.js";
import type { TextFile } from "./text-file.js";

/**
 * Remarks that a configuration holds no keys, and whether the lines that would hold them are commented out. `keyLine`
 * matches such a line without its comment mark. Does nothing if remarks already say what is wrong with the keys.
 */
export function remarkNoKeys(file: TextFile, remarks: Remarks, keyLine: RegExp): void {
  if (remarks.hasErrors) return;
  const commentedOut = file.lines.some((line) => {
    const comment = /^[ \t]*#+[ \t]*(.*)$/.exec(line)?.[1];
    return comment !== undefined && keyLine.test(comment);
  });
  remarks.error(commentedOut ? "no keys in this file: every key line is commented out" : "no keys in this file");
}
