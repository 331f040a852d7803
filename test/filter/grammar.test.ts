import { describe, expect, it } from "vitest";
import { FilterError } from "../../src/filter/index.js";
import { parseFilter, parsePath } from "../../src/filter/language/parser.js";

/** Display filters as text: what they consist of, and what is reported for invalid ones. */

/** An expression fully parenthesised, and without its positions in the text. */
function shape(text: string): string {
  const show = (expression: ReturnType<typeof parseFilter>): string => {
    switch (expression.kind) {
      case "or":
      case "and":
        return `(${expression.terms.map(show).join(` ${expression.kind} `)})`;
      case "not":
        return `not ${show(expression.term)}`;
      default: {
        const { path, slice, mask } = expression.operand;
        const part = slice && `[${slice.from}${slice.inclusive ? "-" : ":"}${slice.to ?? ""}]`;
        const bits = mask && ` & ${mask.form} ${mask.text}`;
        const operand = `${path.isField ? "." : ""}${path.names.join("/")}${part ?? ""}${bits ?? ""}`;
        if (expression.kind === "exists") return operand;
        if (expression.kind === "in") {
          const members = expression.members.map(({ first, last }) =>
            last === undefined ? first.text : `${first.text} to ${last.text}`,
          );
          return `${operand} in ${members.join(", ")}`;
        }
        const operator = expression.kind === "compare" ? expression.comparison : expression.kind;
        return `${operand} ${operator} ${expression.value.form} ${expression.value.text}`;
      }
    }
  };
  return show(parseFilter(text));
}

describe("an expression", () => {
  it.each([
    ["plNetMsgVoice", "plNetMsgVoice"],
    ["events.hitter.uoid.objectName", "events/hitter/uoid/objectName"],
    [".length", ".length"],
    ["a == 1", "a == number 1"],
    ["a==1", "a == number 1"],
    ["a eq 1 and b ne 2", "(a == number 1 and b != number 2)"],
    ["a lt 1 and b le 2 and c gt 3 and d ge 4", "(a < number 1 and b <= number 2 and c > number 3 and d >= number 4)"],
    ["a < 1 and b <= 2 and c > 3 and d >= 4", "(a < number 1 and b <= number 2 and c > number 3 and d >= number 4)"],
    ["a === 1 and b !== 2", "(a === number 1 and b !== number 2)"],
    [
      "a any_eq 1 or a all_eq 1 or a any_ne 1 or a all_ne 1",
      "(a == number 1 or a === number 1 or a !== number 1 or a != number 1)",
    ],
    ["a CONTAINS 'x' AND NOT b", "(a contains string x and not b)"],
    ['a matches "^x$"', "a matches string ^x$"],
    ['a ~ "x"', "a matches string x"],
    ["a or b and c", "(a or (b and c))"],
    ["a || b && c", "(a or (b and c))"],
    ["(a or b) and c", "((a or b) and c)"],
    ["not a == 1 or b", "(not a == number 1 or b)"],
    ["!a && !!b", "(not a and not not b)"],
    ["not (a or b)", "not (a or b)"],
    ["a in {1}", "a in 1"],
    ["a in {1, 3 .. 5, kName}", "a in 1, 3 to 5, kName"],
    ["a in {1..5}", "a in 1 to 5"],
    ["a in {1.5..2.5}", "a in 1.5 to 2.5"],
    ["a not in {1}", "not a in 1"],
    ["a[0:4] == 01:02:03:04", "a[0:4] == bytes 01:02:03:04"],
    ["a[10:20] == 0102", "a[10:20] == number 0102"],
    ["a[3]", "a[3:1]"],
    ["a[2-5]", "a[2-5]"],
    ["a[:2]", "a[0:2]"],
    ["a[-4:]", "a[-4:]"],
    ["a[-4:2]", "a[-4:2]"],
    ["a[-4--2]", "a[-4--2]"],
    ["flags & kA", "flags & word kA"],
    ["flags & 0x10 == 0x10", "flags & number 0x10 == number 0x10"],
    ["protocol == moul.auth", "protocol == word moul.auth"],
  ])("%s", (text, expected) => {
    expect(shape(text)).toBe(expected);
  });
});

describe("a value", () => {
  it.each([
    ["1", "number", "1"],
    ["-1", "number", "-1"],
    ["+1", "number", "+1"],
    ["0x27ca", "number", "0x27ca"],
    ["-0x10", "number", "-0x10"],
    ["1.5", "number", "1.5"],
    ["-2.5e-3", "number", "-2.5e-3"],
    ["1e3", "number", "1e3"],
    ["0a1b", "word", "0a1b"],
    ["deadbeef", "word", "deadbeef"],
    ["1f:8b", "bytes", "1f:8b"],
    ["AA:bb:0C", "bytes", "AA:bb:0C"],
    ["127.0.0.1", "address", "127.0.0.1"],
    ["10.0.0.0/8", "address", "10.0.0.0/8"],
    ["127.0.0.1:14617", "address", "127.0.0.1:14617"],
    ["2001:db8::1", "address", "2001:db8::1"],
    ["::ffff:10.0.0.1", "address", "::ffff:10.0.0.1"],
    ["fe80::/10", "address", "fe80::/10"],
    ["2001:DB8:0:0:0:0:0:1", "address", "2001:DB8:0:0:0:0:0:1"],
    ["7e0facea-dae1-4aec-a4ca-e76c05fdcfcf", "uuid", "7e0facea-dae1-4aec-a4ca-e76c05fdcfcf"],
    ["12345678-dae1-4aec-a4ca-e76c05fdcfcf", "uuid", "12345678-dae1-4aec-a4ca-e76c05fdcfcf"],
    ["2026-11-20", "time", "2026-11-20"],
    ["2026-11-20T04:55", "time", "2026-11-20T04:55"],
    ["2026-11-20T04:55:07.25Z", "time", "2026-11-20T04:55:07.25Z"],
    ["2026-11-20T04:55:07+01:00", "time", "2026-11-20T04:55:07+01:00"],
    ["kNetSuccess", "word", "kNetSuccess"],
    ["true", "word", "true"],
    ['"a b"', "string", "a b"],
    ["'a \"b\"'", "string", 'a "b"'],
    ['""', "string", ""],
    ['"\\"\\\\"', "string", '"\\'],
    ['"\\n\\r\\t\\0"', "string", "\n\r\t\0"],
    ['"\\x41\\u0042\\u{1f4d6}"', "string", "AB\u{1f4d6}"],
    ['"\\u{110000}"', "string", "\\u{110000}"],
    ['"\\d+\\."', "string", "\\d+\\."],
    ['r"\\x41\\"', "string", "\\x41\\"],
    ['"Шора 📖"', "string", "Шора 📖"],
  ])("%s", (text, form, meant) => {
    expect(parseFilter(`a == ${text}`)).toMatchObject({ kind: "compare", value: { form, text: meant } });
    expect(parseFilter(`(a == ${text}) and b`)).toMatchObject({ kind: "and" });
  });
});

/** The error for a text, and the place that is marked. */
function complaint(text: string, parse: (text: string) => unknown = parseFilter): string {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof FilterError) return error.message;
    throw error;
  }
  return "";
}

describe("an invalid expression", () => {
  it.each([
    ["", 'the expression ends where "not", "(" or the name of a field or message should be', "  ", "  ^"],
    ["a ==", "the expression ends where a value should be", "  a ==", "      ^"],
    ["a = 1", "a single = means nothing; to compare, write ==", "  a = 1", "    ^"],
    ["a b", 'found "b" where "[", "&", an operator, "and", "or" or the end should be', "  a b", "    ^"],
    ["a == 1 2", 'found "2" where "and", "or" or the end should be', "  a == 1 2", "         ^"],
    ["(a", 'the expression ends where "[", "&", an operator, "and", "or" or ")" should be', "  (a", "    ^"],
    ["a)", 'found ")" where "[", "&", an operator, "and", "or" or the end should be', "  a)", "   ^"],
    [
      "a and",
      'the expression ends where "not", "(" or the name of a field or message should be',
      "  a and",
      "       ^",
    ],
    ["1 == a", 'found "1" where "not", "(" or the name of a field or message should be', "  1 == a", "  ^"],
    ["a matches 5", 'found "5" where a text in quotes should be', "  a matches 5", "            ^"],
    ["a in {}", 'found "}" where a value should be', "  a in {}", "        ^"],
    ["a in {1 2}", 'found "2" where "..", "," or "}" should be', "  a in {1 2}", "          ^"],
    ["a[0:b] == 1", 'found "b" where a number or "]" should be', "  a[0:b] == 1", "      ^"],
    ["a[0:2", 'the expression ends where "]" should be', "  a[0:2", "       ^"],
    ['a == "x', "the text that begins here has no closing quote", '  a == "x', "       ^~"],
    ["a == §", "§ means nothing here", "  a == §", "       ^"],
    ['"📖" == 1', 'found "📖" where "not", "(" or the name of a field or message should be', '  "📖" == 1', "  ^~~"],
    ["a\n==", "the expression ends where a value should be", "  a ==", "      ^"],
  ])("%j", (text, reason, line, mark) => {
    expect(complaint(text)).toBe([reason, line, mark].join("\n"));
  });

  it("includes one that is nested too deeply", () => {
    expect(complaint(`${"(".repeat(100)}a${")".repeat(100)}`)).toBe("");
    expect(complaint(`${"(".repeat(101)}a${")".repeat(101)}`)).toMatch(/^this is nested too deeply\n/);
    expect(complaint(`${"not ".repeat(100_000)}a`)).toMatch(/^this is nested too deeply\n/);
    expect(complaint(Array(20_000).fill("not a").join(" and "))).toBe("");
  });

  it("includes a path followed by something else", () => {
    expect(parsePath("a.b")).toMatchObject({ names: ["a", "b"], isField: false });
    expect(complaint("a.b == 1", parsePath)).toBe('found "==" where the end should be\n  a.b == 1\n      ^~');
    expect(complaint("", parsePath)).toBe(
      "the expression ends where the name of a field or message should be\n  \n  ^",
    );
  });
});
