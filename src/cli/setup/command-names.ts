/** The names of all commands, in the order of the help. */
export const COMMANDS = [
  "decode",
  "streams",
  "stats",
  "diagnose",
  "find",
  "follow",
  "live",
  "keys",
  "decrypt",
  "export",
  "sql",
  "split",
  "check",
  "scrub",
  "players",
  "chat",
  "vault",
  "sdl",
  "objects",
  "view",
  "report",
  "fields",
  "schema",
  "wireshark",
  "demo",
  "completion",
  "man",
] as const;

/** The name of a command. */
export type CommandName = (typeof COMMANDS)[number];

/** True for the name of a command. */
export function isCommand(word: string): word is CommandName {
  return COMMANDS.some((name) => name === word);
}
