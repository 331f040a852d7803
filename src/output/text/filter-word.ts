/**
 * What sh, cmd.exe and PowerShell leave as it is within double quotes: not the beginning of a variable, a command or a
 * line of the history, not an escape, and no curly quotes, which PowerShell takes for straight ones. sh leaves `\u` alone.
 */
const PLAIN = /^(?:[^'$`%!\\\u2018-\u201f]|!(?=[= ])|\\u\{[\da-f]+\})*$/;

/** A text without escapes, of which the quotes have to stay as they are. */
const RAW = /\br"/i;

/**
 * A display filter as a word of a command line: in double quotes, with single ones around the texts in it, as every shell
 * takes it; or, if it has what shells do not agree on, in single quotes, for sh.
 */
export function filterWord(filter: string): string {
  if (PLAIN.test(filter) && !RAW.test(filter)) return `"${filter.replaceAll('"', "'")}"`;
  return `'${filter.replaceAll("'", "'\\''")}'`;
}
