import { createLexer, type Token } from "leac";
import { FilterError } from "./filter-error.js";

/** Tokens within the brackets of a slice: `[0:4]`, `[-4:]`, `[2-5]`. Outside, `10:20` would be bytes. */
const sliceLexer = createLexer(
  [
    { name: "space", regex: /\s+/, discard: true },
    { name: "digits", regex: /\d+/ },
    { name: ":" },
    { name: "-" },
    { name: "]", pop: true },
  ],
  "slice",
);

/** The first rule that fits counts, so special forms of values precede general ones. */
const lexer = createLexer([
  { name: "space", regex: /\s+/, discard: true },
  { name: "raw", regex: /r"[^"]*"/i },
  { name: "string", regex: /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/ },
  {
    name: "time",
    regex: /\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[-+]\d\d:?\d\d)?)?(?![\w:-])/i,
  },
  { name: "uuid", regex: /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?!\w)/i },
  { name: "bytes", regex: /[\da-f]{2}(?::[\da-f]{2})+(?![\w:])/i },
  { name: "address", regex: /\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2}|:\d{1,5})?(?![\w.])/ },
  // With a double colon, or with eight groups.
  { name: "ipv6", regex: /(?=[\da-f:]*::|(?:[\da-f]{1,4}:){7})[\da-f:]+(?:\.\d{1,3}){0,3}(?:\/\d{1,3})?(?![\w:.])/i },
  { name: "number", regex: /[-+]?(?:0x[\da-f]+|\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?!\w)/i },
  { name: "infinity", regex: /-Infinity(?!\w)/ },
  { name: "hex", regex: /\d[\da-f]*(?!\w)/i },
  {
    name: "keyword",
    regex: /(?:and|or|not|in|contains|matches|any_eq|all_eq|any_ne|all_ne|eq|ne|lt|le|gt|ge)(?![\w.])/i,
  },
  { name: "name", regex: /\.?[a-z_]\w*(?:\.\w+)*/i },
  { name: "[", push: sliceLexer },
  ...[
    "]",
    "===",
    "!==",
    "==",
    "!=",
    "<=",
    ">=",
    "&&",
    "||",
    "..",
    "<",
    ">",
    "=",
    "!",
    "&",
    "~",
    "(",
    ")",
    "{",
    "}",
    ",",
  ].map((name) => ({ name })),
]);

/** Splits an expression into tokens, with keywords in lower case. */
export function tokensOf(text: string): Token[] {
  const { tokens, offset, complete } = lexer(text);
  if (complete) return tokens.map((token) => (token.name === "keyword" ? keyword(token) : token));
  const rest = text.slice(offset);
  const [character = ""] = rest;
  const isQuote = character === '"' || character === "'";
  const reason = isQuote ? "the text that begins here has no closing quote" : `${character} means nothing here`;
  throw new FilterError(reason, text, { start: offset, length: isQuote ? rest.length : character.length });
}

function keyword(token: Token): Token {
  const text = token.text.toLowerCase();
  return { ...token, name: text, text };
}
