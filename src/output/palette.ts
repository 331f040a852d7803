import { Chalk } from "chalk";
import type { Severity } from "../schema/field-tree.js";

/** Colours by what they stand for; each function takes text that is safe for a terminal and gives it back coloured. */
export interface Palette {
  readonly heading: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly name: (text: string) => string;
  readonly value: (text: string) => string;
  readonly label: (text: string) => string;
  readonly protocol: (protocol: string) => (text: string) => string;
  /** Of two versions: what is only in the new one, only in the old one, or in both and not the same. */
  readonly change: {
    readonly added: (text: string) => string;
    readonly removed: (text: string) => string;
    readonly changed: (text: string) => string;
  };
  readonly severity: (severity: Severity) => (text: string) => string;
}

/** Stands in no code of a colour. */
const MIDDLE = "|";

function asItIs(text: string): string {
  return text;
}

const COLORLESS: Palette = {
  heading: asItIs,
  faint: asItIs,
  name: asItIs,
  value: asItIs,
  label: asItIs,
  protocol: () => asItIs,
  change: { added: asItIs, removed: asItIs, changed: asItIs },
  severity: () => asItIs,
};

/** What a colour puts before a text and behind it. */
export function codesOf(paint: (text: string) => string): readonly [string, string] {
  const [before = "", behind = ""] = paint(MIDDLE).split(MIDDLE);
  return [before, behind];
}

/** The palette for an output that takes colours, or does not. */
export function palette(colored: boolean): Palette {
  if (!colored) return COLORLESS;
  const chalk = new Chalk({ level: 1 });
  const severities = { error: chalk.red, warning: chalk.yellow, note: chalk.cyan };
  // In the order in which they come up, so that no two of a session have the same; those of trouble are not among them.
  const hues = [chalk.green, chalk.cyan, chalk.magenta, chalk.blue, chalk.cyanBright, chalk.magentaBright];
  const given = new Map<string, (text: string) => string>();
  return {
    heading: chalk.bold,
    faint: chalk.dim,
    name: chalk.cyan,
    value: asItIs,
    label: chalk.green,
    protocol(protocol) {
      const hue = given.get(protocol) ?? hues[given.size % hues.length] ?? chalk.white;
      given.set(protocol, hue);
      return hue;
    },
    change: { added: chalk.green, removed: chalk.red, changed: chalk.yellow },
    severity: (severity) => severities[severity],
  };
}
