import type { ColorName } from "../../output/text/palette.js";
import type { ColorRule } from "./color-filter.js";

/** A line of a colour filter file. */
export interface FiledRule extends ColorRule {
  /** Number of the line, from 1. */
  readonly line: number;
}

/** Red, green and blue, from 0 to 65535 each. */
type Rgb = readonly [red: number, green: number, blue: number];

const MOST = 65_535;

/** A rule is its name, the display filter, the background and the foreground; one that is switched off begins with "!". */
const RULE = /^(!?)@([^@]*)@(.+)@\[(\d+),(\d+),(\d+)\]\[(\d+),(\d+),(\d+)\]\s*$/;

/** The colours by their hue, in degrees. */
const HUES: readonly (readonly [number, ColorName])[] = [
  [0, "red"],
  [60, "yellow"],
  [120, "green"],
  [180, "cyan"],
  [240, "blue"],
  [300, "magenta"],
  [360, "red"],
];

/** Backgrounds in which rules are written: a foreground that can be read on them is black, or white for dark ones. */
const BACKGROUNDS: Readonly<Record<ColorName, Rgb>> = {
  red: [MOST, 0, 0],
  yellow: [MOST, MOST, 0],
  green: [0, MOST, 0],
  cyan: [0, MOST, MOST],
  blue: [0, 0, MOST],
  magenta: [MOST, 0, MOST],
  white: [MOST, MOST, MOST],
  gray: [32_768, 32_768, 32_768],
};
const DARK: ReadonlySet<ColorName> = new Set(["red", "blue", "gray"]);

/**
 * Reads Wireshark's colour filter file (`colorfilters`). The first rule that fits a message gives it its colour, which
 * is the foreground, unless that is black or white: then the background.
 */
export function parseColorFilters(text: string): FiledRule[] {
  return text.split(/\r?\n/).flatMap((content, index) => {
    const [, off, , expression, ...numbers] = RULE.exec(content) ?? [];
    if (expression === undefined || off === "!") return [];
    const [r = 0, g = 0, b = 0, ...foreground] = numbers.map(Number);
    const [fr = 0, fg = 0, fb = 0] = foreground;
    return [{ line: index + 1, expression, color: hueName([fr, fg, fb]) ?? hueName([r, g, b]) ?? grayName([r, g, b]) }];
  });
}

/** The name of a colour that is neither black, gray nor white; undefined for one that is. */
function hueName([red, green, blue]: Rgb): ColorName | undefined {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const range = most - least;
  // What is nearly black counts as black.
  if (range < MOST / 12 || most < MOST / 4) return undefined;
  const sector =
    most === red ? (green - blue) / range + 6 : most === green ? (blue - red) / range + 2 : (red - green) / range + 4;
  const hue = (60 * sector) % 360;
  const nearest = HUES.toSorted(([one], [other]) => Math.abs(one - hue) - Math.abs(other - hue))[0];
  return nearest?.[1];
}

function grayName([red]: Rgb): ColorName {
  return red > MOST * 0.75 ? "white" : "gray";
}

/** Rules as Wireshark's colour filter file. */
export function colorFilterText(rules: readonly ColorRule[]): string {
  const lines = rules.map(({ expression, color }) => {
    const foreground: Rgb = DARK.has(color) ? [MOST, MOST, MOST] : [0, 0, 0];
    const name = expression.replaceAll("@", " ");
    return `@${name}@${expression}@[${BACKGROUNDS[color].join(",")}][${foreground.join(",")}]\n`;
  });
  return `# This file was written by moul-dissect, in the form of Wireshark's colour filters.\n${lines.join("")}`;
}
