import { jsonText } from "../../common/json.js";

/**
 * Characters that a terminal obeys, or that change the order or look of the text around them: C0 and C1 controls, line
 * and paragraph separators, bidirectional controls, zero-width and other invisible format characters, lone surrogates.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Printable ASCII, which most text is: all of it is safe. */
const PLAIN = /^[ -~]*$/;

/** Captured text made safe for a terminal: unsafe characters are shown as escapes, never sent. */
export function printable(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(UNSAFE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return (
      SHORT[character] ?? (code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`)
    );
  });
}

/** Half of a surrogate pair in JSON text, where it is an escape (not an escaped backslash followed by letters). */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/**
 * A value as JSON that is safe for a terminal: unsafe characters are written as escapes, which mean the same in JSON.
 * Half of a surrogate pair is not text, and many JSON readers reject it: it becomes a replacement character.
 *
 * @param indent blanks for each level; without it, everything is on one line
 */
export function safeJson(value: unknown, indent?: number): string {
  const text = indent === undefined ? jsonText(value) : JSON.stringify(value, undefined, indent);
  const json = text.replace(LONE_SURROGATE, "$1\\ufffd");
  return json.replace(UNSAFE, (character) => {
    // A line feed that is not already escaped ends a line of indented JSON.
    if (character === "\n") return character;
    let escapes = "";
    for (let at = 0; at < character.length; at++) {
      escapes += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
    }
    return escapes;
  });
}
