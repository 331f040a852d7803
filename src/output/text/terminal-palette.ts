import { hueOf } from "./hue.js";
import { colorless, type Palette } from "./palette.js";

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
    protocol: (protocol) => hues[hueOf(protocol)] ?? colorless.value,
    change: { added: chalk.green, removed: chalk.red, changed: chalk.yellow },
    severity: (severity) => severities[severity],
    chosen: (color) => chalk[color],
  };
}
