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

/** The codes that a colour puts before and after a text. */
export function codesOf(paint: (text: string) => string): readonly [string, string] {
  const [before = "", after = ""] = paint(MIDDLE).split(MIDDLE);
  return [before, after];
}
