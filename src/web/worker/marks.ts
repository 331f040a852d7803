import type { Palette } from "../../output/text/palette.js";

/**
 * What stands for colours in texts for the page: control characters, which captured text cannot bring, since the writers
 * print those as escapes.
 */
const mark =
  (code: string) =>
  (text: string): string =>
    text === "" ? "" : `${code}${text}\u0000`;

/** The palette whose colours are marks: `src/web/page/panes/marked-text.tsx` makes elements of them. */
export const marks: Palette = {
  heading: mark("\u0001"),
  faint: mark("\u0002"),
  name: mark("\u0003"),
  value: mark("\u0004"),
  label: mark("\u0005"),
  protocol: () => (text) => text,
  change: { added: mark("\u0006"), removed: mark("\u0007"), changed: mark("\u000e") },
  severity: (severity) => mark(severity === "error" ? "\u000f" : severity === "warning" ? "\u0010" : "\u0011"),
  chosen: () => (text) => text,
};
