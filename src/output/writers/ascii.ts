/** Codes of the characters that lines are built from. */
export const enum Ascii {
  Tab = 0x09,
  LineFeed = 0x0a,
  Blank = 0x20,
  Quote = 0x22,
  Comma = 0x2c,
  Minus = 0x2d,
  Point = 0x2e,
  Zero = 0x30,
  Nine = 0x39,
  Colon = 0x3a,
  Semicolon = 0x3b,
  AtSign = 0x40,
  LetterZ = 0x5a,
  OpeningBracket = 0x5b,
  Backslash = 0x5c,
  ClosingBracket = 0x5d,
  OpeningBrace = 0x7b,
  ClosingBrace = 0x7d,
  /** The last printable one. */
  Tilde = 0x7e,
  Delete = 0x7f,
}
