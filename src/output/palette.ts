import { Chalk } from "chalk";

/** Colours by what they stand for; each function takes text that is safe for a terminal and gives it back coloured. */
export interface Palette {
  readonly heading: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly name: (text: string) => string;
  readonly value: (text: string) => string;
  readonly label: (text: string) => string;
  readonly protocol: (protocol: string) => (text: string) => string;
  readonly severity: (severity: "error" | "warning" | "note") => (text: string) => string;
}

/** The palette for an output that takes colours, or does not. */
export function palette(colored: boolean): Palette {
  const chalk = new Chalk({ level: colored ? 1 : 0 });
  const severities = { error: chalk.red, warning: chalk.yellow, note: chalk.cyan };
  const hues = [chalk.green, chalk.cyan, chalk.magenta, chalk.blue, chalk.yellow];
  return {
    heading: chalk.bold,
    faint: chalk.dim,
    name: chalk.cyan,
    value: (text) => text,
    label: chalk.green,
    protocol: (protocol) => hues[hash(protocol) % hues.length] ?? chalk.white,
    severity: (severity) => severities[severity],
  };
}

/** A number that is the same for the same text, so that a protocol keeps its colour. */
function hash(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return sum;
}
