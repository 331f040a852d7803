import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { compileFilter, FilterError, type MessageFilter, Vocabulary } from "../../src/filter/index.js";
import { type DissectedMessage, dissectors } from "../../src/index.js";
import { anyText } from "../support/any-text.js";
import { messagesOf } from "./support/messages.js";

/** What holds for every expression, tested on the messages of a recorded session. */

const vocabulary = new Vocabulary(dissectors);
let messages: DissectedMessage[] = [];

beforeAll(async () => {
  messages = await messagesOf("nagus-session");
});

const name = fc.oneof(
  fc.constantFrom(...vocabulary.names()),
  fc.constantFrom(
    "result",
    "flags",
    "playerId",
    "objectName",
    "voiceData",
    "timeSent",
    "uuid_1",
    "class",
    "record.a",
    "named.b",
  ),
  fc.constantFrom("number", "frame", "time", "source", "status", "message", "notes", "protocol", "moul.game", "gap"),
);
const path = fc.oneof(
  { weight: 4, arbitrary: name },
  fc.array(name, { minLength: 2, maxLength: 3 }).map((names) => names.join(".")),
  name.map((text) => `.${text}`),
);
const value = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.nat(0xffff).map((number) => `0x${number.toString(16)}`),
  fc.constantFrom("kNetSuccess", "kHasPlayerID", "true", "false", "null", "ok", "c2s", "plNetMsgVoice", "deadbeef"),
  anyText({ maxLength: 6 }).map((text) => JSON.stringify(text)),
  fc.constantFrom(
    "66:b3",
    "00:00:00",
    "127.0.0.1",
    "127.0.0.0/8",
    "127.0.0.1:14617",
    "2026-11-20",
    "2026-11-20T04:55:07.9Z",
  ),
  fc.uuid(),
);
const slice = fc.constantFrom("[0]", "[0:4]", "[-4:]", "[2-5]", "[:2]", "[9:100]", "[-2--1]");
const operator = fc.constantFrom("==", "!=", "===", "!==", "<", "<=", ">", ">=", "contains", "eq", "any_ne");
const pattern = fc.oneof(
  fc.string({ maxLength: 5 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('"^a"', '"[0-9]+"', '"(a|b)*$"', '"."'),
);
const test = fc.oneof(
  path,
  fc.tuple(path, operator, value).map((words) => words.join(" ")),
  fc.tuple(path, slice, operator, value).map(([operand, part, ...rest]) => `${operand}${part} ${rest.join(" ")}`),
  fc.tuple(path, pattern).map(([operand, text]) => `${operand} matches ${text}`),
  fc.tuple(path, value).map(([operand, mask]) => `${operand} & ${mask}`),
  fc.tuple(path, value, operator, value).map(([operand, mask, ...rest]) => `${operand} & ${mask} ${rest.join(" ")}`),
  fc
    .tuple(path, fc.array(value, { minLength: 1, maxLength: 3 }))
    .map(([operand, set]) => `${operand} in {${set.join(", ")}}`),
  fc.tuple(path, value, value).map(([operand, first, last]) => `${operand} not in {${first} .. ${last}}`),
);
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    test,
    tie("expression").map((inner) => `not (${inner})`),
    fc.tuple(tie("expression"), tie("expression")).map((pair) => `(${pair.join(" and ")})`),
    fc.tuple(tie("expression"), tie("expression")).map((pair) => `(${pair.join(" or ")})`),
  ),
}));

/** The filter for a text; undefined if it is invalid, which has to be reported in one way only. */
function compiled(text: string): MessageFilter | undefined {
  try {
    return compileFilter(text, vocabulary);
  } catch (error) {
    expect(error).toBeInstanceOf(FilterError);
    return undefined;
  }
}

function passed(text: string): number[] {
  return messages.filter(compileFilter(text, vocabulary)).map(({ number }) => number);
}

describe("every expression", () => {
  it("is valid, or rejected with a reason; and if valid, can be tested on any message", () => {
    fc.assert(
      fc.property(expression, (text) => {
        const passes = compiled(text);
        if (passes === undefined) return;
        expect(messages.filter((message) => typeof passes(message) !== "boolean")).toEqual([]);
      }),
      { numRuns: 250 },
    );
  });

  it("is valid often enough for that to mean something", () => {
    // How many of any others are valid is chance.
    const some = fc.sample(expression, { numRuns: 1000, seed: 1 });
    expect(some.filter((text) => compiled(text) !== undefined).length).toBeGreaterThan(50);
  });

  it("may be any text", () => {
    fc.assert(
      fc.property(anyText(), (text) => void compiled(text)),
      { numRuns: 500 },
    );
    const words = fc.constantFrom(
      "a",
      "(",
      ")",
      "not",
      "and",
      "in",
      "{",
      "}",
      "[",
      "]",
      ":",
      "..",
      "1",
      '"',
      "'",
      "==",
      "&",
      ",",
      "r",
    );
    fc.assert(
      fc.property(fc.array(words), (list) => void compiled(list.join(" "))),
      { numRuns: 500 },
    );
  });

  it("obeys the laws of logic", () => {
    const sound = test.filter((text) => compiled(text) !== undefined);
    fc.assert(
      fc.property(sound, sound, (a, b) => {
        expect(passed(`not not ${a}`)).toEqual(passed(a));
        expect(passed(`!(${a} or ${b})`)).toEqual(passed(`not ${a} and not ${b}`));
        expect(passed(`!(${a} && ${b})`)).toEqual(passed(`not ${a} || not ${b}`));
        expect(passed(`${a} or ${a} and ${b}`)).toEqual(passed(a));
        expect(passed(`${a} and not ${a}`)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});
