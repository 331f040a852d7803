import type { VNode } from "preact";

/** Names of the marks that the worker puts around parts of a text, as classes: see `src/web/worker/marks.ts`. */
const CLASSES: Readonly<Record<string, string>> = {
  "\u0001": "heading",
  "\u0002": "faint",
  "\u0003": "name",
  "\u0004": "value",
  "\u0005": "label",
  "\u0006": "added",
  "\u0007": "removed",
  "\u000e": "changed",
  "\u000f": "error",
  "\u0010": "warning",
  "\u0011": "note",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the marks
const MARK = /([\u0000-\u0007\u000e-\u0011])/;

/** A text with marks, as elements. Marks may be nested; an unknown one changes nothing. */
export function MarkedText({ text }: { readonly text: string }): VNode {
  const parts: (VNode | string)[] = [];
  const open: string[] = [];
  for (const [index, part] of text.split(MARK).entries()) {
    const name = CLASSES[part];
    if (name !== undefined) open.push(name);
    else if (part === "\u0000") open.pop();
    else if (part !== "") {
      const className = open.at(-1);
      parts.push(
        className === undefined ? (
          part
        ) : (
          <span key={index} class={className}>
            {part}
          </span>
        ),
      );
    }
  }
  return <>{parts}</>;
}

/** A text without its marks. */
export function plainText(text: string): string {
  return text.replace(new RegExp(MARK, "g"), "");
}
