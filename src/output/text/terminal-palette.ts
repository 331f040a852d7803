import { colorless, type Palette } from "./palette.js";

/**
 * Places of well-known protocols among the hues: those of one session differ. Another protocol has the hue that follows
 * from its name, so that it is the same in every session.
 */
const FIXED: ReadonlyMap<string, number> = new Map([
  ["moul.auth", 0],
  ["moul.game", 1],
  ["moul.gatekeeper", 2],
  ["moul.file", 3],
  ["moul.csr", 4],
  ["moul.status", 5],
  ["bzflag.list", 1],
  ["bzflag.ping", 2],
]);

/** A number that follows from the name of a protocol alone; its versions ("bzflag.107e") have the same. */
function numberOf(protocol: string): number {
  let number = 0;
  for (const character of protocol.replace(/\.\d\w*$/, ""))
    number = (31 * number + (character.codePointAt(0) ?? 0)) % 0xffff;
  return number;
}

/** The palette for an output with or without colours. */
export async function palette(colored: boolean): Promise<Palette> {
  if (!colored) return colorless;
  // It makes Node.js open standard input, which another program may be about to read: a pipe would stop blocking.
  const { Chalk } = await import("chalk");
  const chalk = new Chalk({ level: 1 });
  const severities = { error: chalk.red, warning: chalk.yellow, note: chalk.cyan };
  // The colours of errors and warnings are not among them.
  const hues = [chalk.green, chalk.cyan, chalk.magenta, chalk.blue, chalk.cyanBright, chalk.magentaBright];
  return {
    heading: chalk.bold,
    faint: chalk.dim,
    name: chalk.cyan,
    value: colorless.value,
    label: chalk.green,
    protocol: (protocol) => hues[FIXED.get(protocol) ?? numberOf(protocol) % hues.length] ?? colorless.value,
    change: { added: chalk.green, removed: chalk.red, changed: chalk.yellow },
    severity: (severity) => severities[severity],
    chosen: (color) => chalk[color],
  };
}
