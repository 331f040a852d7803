const SHORT: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "0": "\0" };

/** Returns what the text of a token stands for: a string without its quotes and escapes, anything else as it is. */
export function unescaped(token: string, text: string): string {
  if (token === "raw") return text.slice(2, -1);
  if (token !== "string") return text;
  // An unknown escape stays as it is, so that those of regular expressions need not be doubled.
  return text
    .slice(1, -1)
    .replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,6})\}|([\s\S]))/gi, (whole, byte, unit, point, other) => {
      const digits: string | undefined = byte ?? unit ?? point;
      if (digits !== undefined) {
        const code = Number.parseInt(digits, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      }
      if (other === '"' || other === "'" || other === "\\") return other;
      return SHORT[other] ?? whole;
    });
}
