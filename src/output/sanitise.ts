/**
 * Characters that a terminal obeys, or that change the order or look of the text around them: C0 and C1 controls, line
 * and paragraph separators, bidirectional controls, zero-width and other invisible format characters, lone surrogates.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** What most text consists of: all of it can be sent. */
const PLAIN = /^[ -~]*$/;

/** Captured text as it may be sent to a terminal: what is unsafe is shown as an escape, never sent. */
export function printable(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(UNSAFE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return (
      SHORT[character] ?? (code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`)
    );
  });
}

/** Half of a surrogate pair in JSON text, where it is an escape (and not an escaped backslash with letters behind it). */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/**
 * A value as JSON that may be sent to a terminal: what is unsafe is written as an escape, which means the same in JSON.
 * Half of a surrogate pair is no text, and many readers of JSON refuse it: it becomes a replacement character.
 *
 * @param indent blanks for each level; without it all is on one line
 */
export function safeJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, undefined, indent).replace(LONE_SURROGATE, "$1\\ufffd");
  return json.replace(UNSAFE, (character) => {
    // One that is not escaped already ends a line of indented JSON.
    if (character === "\n") return character;
    let escapes = "";
    for (let at = 0; at < character.length; at++) {
      escapes += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
    }
    return escapes;
  });
}
