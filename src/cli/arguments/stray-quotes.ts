/** An argument, or the value of an option in it, that begins with a single quote. */
const QUOTED = /^(?:--[\w-]+=)?'/;

/**
 * What to do about single quotes that have come with the arguments: cmd.exe does not take them for quotes, so that what
 * was meant as one argument is several. Undefined if there are none.
 */
export function hintForQuotes(args: readonly string[]): string | undefined {
  if (!args.some((arg) => QUOTED.test(arg))) return undefined;
  return `the single quotes were passed on, as cmd.exe does it: use double ones, and single ones within them: -Y "message == 'MsgKill'"`;
}
