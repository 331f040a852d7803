import type { NodeDifference, NodeReference } from "../../check/index.js";
import { printable } from "../writers/sanitise.js";
import { fieldsLines } from "./field-difference-text.js";
import type { Palette } from "./palette.js";

/** What is not as expected of a node. */
export function nodeDifferenceLines(
  difference: NodeDifference,
  { colors, expected }: { readonly colors: Palette; readonly expected: (at: number) => string },
): string[] {
  const { added, removed, changed } = colors.change;
  switch (difference.kind) {
    case "missing node":
      return [
        removed(
          `- ${nameOf(difference.expected)}${within(difference.parents)} is missing (${whence(difference.expected)})`,
        ),
      ];
    case "added node":
      return [added(`+ ${nameOf(difference.found)}${within(difference.parents)} was not expected`)];
    case "changed node":
      return [
        changed(`~ ${nameOf(difference.found)} (${whence(difference.expected)})`),
        ...fieldsLines(difference.fields, colors),
      ];
  }

  function whence({ id, line }: NodeReference): string {
    return line === undefined ? `expected as ${printable(id)}` : expected(line);
  }
}

/** A node in a few words, as in the lists of `vault`. */
function nameOf({ id, type, title }: NodeReference): string {
  const name = title === "" ? type : title;
  return printable(name === "" ? id : `${id} ${name}`);
}

function within([parent]: readonly NodeReference[]): string {
  return parent === undefined ? "" : ` in ${nameOf(parent)}`;
}
