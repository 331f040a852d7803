import type { Severity } from "../../schema/language/field-tree.js";

/** Colours by what they stand for; each function takes text that is safe for a terminal and returns it coloured. */
export interface Palette {
  readonly heading: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly name: (text: string) => string;
  readonly value: (text: string) => string;
  readonly label: (text: string) => string;
  readonly protocol: (protocol: string) => (text: string) => string;
  /** For two versions: what is only in the new one, only in the old one, or different in both. */
  readonly change: {
    readonly added: (text: string) => string;
    readonly removed: (text: string) => string;
    readonly changed: (text: string) => string;
  };
  readonly severity: (severity: Severity) => (text: string) => string;
  /** A colour that the user has chosen. */
  readonly chosen: (color: ColorName) => (text: string) => string;
}

/** The colours that users may choose, by the names that terminals have for them. */
export const colorNames = ["red", "green", "yellow", "blue", "magenta", "cyan", "white", "gray"] as const;
export type ColorName = (typeof colorNames)[number];

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

/** A character that occurs in no colour code. */
const MIDDLE = "|";

function asItIs(text: string): string {
  return text;
}

/** The palette of an output without colours. */
export const colorless: Palette = {
  heading: asItIs,
  faint: asItIs,
  name: asItIs,
  value: asItIs,
  label: asItIs,
  protocol: () => asItIs,
  change: { added: asItIs, removed: asItIs, changed: asItIs },
  severity: () => asItIs,
  chosen: () => asItIs,
};

/** A number that follows from the name of a protocol alone; its versions ("bzflag.107e") have the same. */
function numberOf(protocol: string): number {
  let number = 0;
  for (const character of protocol.replace(/\.\d\w*$/, ""))
    number = (31 * number + (character.codePointAt(0) ?? 0)) % 0xffff;
  return number;
}

/** The codes that a colour puts before and after a text. */
export function codesOf(paint: (text: string) => string): readonly [string, string] {
  const [before = "", after = ""] = paint(MIDDLE).split(MIDDLE);
  return [before, after];
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
    value: asItIs,
    label: chalk.green,
    protocol: (protocol) => hues[FIXED.get(protocol) ?? numberOf(protocol) % hues.length] ?? asItIs,
    change: { added: chalk.green, removed: chalk.red, changed: chalk.yellow },
    severity: (severity) => severities[severity],
    chosen: (color) => chalk[color],
  };
}
