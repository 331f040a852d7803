import { type ColorName, colorNames } from "../../output/text/palette.js";
import { UsageError } from "../usage-error.js";

/** Messages that pass a display filter have a colour. */
export interface ColorRule {
  readonly expression: string;
  readonly color: ColorName;
}

/**
 * Parses `EXPR=COLOR`, as `--color-filter` takes it. Expressions may contain equals signs, too.
 *
 * @throws UsageError if there is no colour, or an unknown one
 */
export function parseColorRule(text: string): ColorRule {
  const at = text.lastIndexOf("=");
  const word = text
    .slice(at + 1)
    .trim()
    .toLowerCase();
  const color = colorNames.find((name) => name === (word === "grey" ? "gray" : word));
  const expression = text.slice(0, Math.max(at, 0)).trim();
  if (color === undefined || expression === "") {
    throw new UsageError(
      `--color-filter "${text}" is not a display filter and a colour, as in "status == malformed=red"; the colours are ${colorNames.join(", ")}`,
    );
  }
  return { expression, color };
}
