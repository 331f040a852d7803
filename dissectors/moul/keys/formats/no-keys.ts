import type { Remarks } from "../remarks.js";
import type { TextFile } from "../text-file.js";

/**
 * Remarks that a configuration holds no keys of servers, and whether the lines that would hold them are commented out.
 * `keyLine` matches such a line without its comment mark. Does nothing if remarks already say what is wrong with the
 * keys, or if the file has keys of another kind and no such lines.
 */
export function remarkNoKeys(file: TextFile, remarks: Remarks, keyLine: RegExp, hasOthers = false): void {
  if (remarks.hasErrors) return;
  const commentedOut = file.lines.some((line) => {
    const comment = /^[ \t]*#+[ \t]*(.*)$/s.exec(line)?.[1];
    return comment !== undefined && keyLine.test(comment);
  });
  if (hasOthers) {
    if (commentedOut) remarks.error("no keys of servers in this file: their lines are commented out");
  } else remarks.error(commentedOut ? "no keys in this file: every key line is commented out" : "no keys in this file");
}
