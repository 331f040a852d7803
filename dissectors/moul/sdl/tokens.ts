/** A word, a quoted text or a single sign of a definition file. */
export interface Token {
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
}

/** A quoted text (of one line), a sign, a word, or a comment. Commas and equals signs separate like blanks. */
const TOKEN = /"[^"]*"?|[{}[\]();]|[^\s,={}[\]();"#]+|#.*/g;
const SIGN = /^[{}[\]();]$/;

/** Splits the lines of a definition file into tokens, without comments. Source: CoreLib/hsStream.cpp, GetToken. */
export function tokensOf(lines: readonly string[]): Token[] {
  return lines.flatMap((content, index) =>
    [...content.matchAll(TOKEN)].map(([text]) => ({ text, line: index + 1 })).filter(({ text }) => text[0] !== "#"),
  );
}

/** True for a name, a keyword, a number or a quoted text. */
export function isWord(token: Token | undefined): token is Token {
  return token !== undefined && !SIGN.test(token.text);
}
