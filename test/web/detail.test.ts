import { describe, expect, it } from "vitest";
import { compileFilter } from "../../src/filter/index.js";
import { TextSearch } from "../../src/find/search.js";
import { array, bool, prefixed, struct, text, u8 } from "../../src/schema/index.js";
import { detailOf } from "../../src/web/worker/detail.js";
import { messageOf, vocabularyOf } from "../filter/support/messages.js";

const Letter = struct("Letter", { status: u8, isSealed: bool, lines: array(prefixed(u8, text), 2) });
const vocabulary = vocabularyOf(Letter);

/** What the menus of the fields of a letter offer. */
function offers(seal: number, first: string) {
  const lines = [first, "Shorah"].map((line) => `${hex([Buffer.byteLength(line)])}${hex(Buffer.from(line))}`);
  const message = messageOf(Letter, `41 ${hex([seal])} ${lines.join("")}`);
  const relations = { place: 0, first: message.origin, answeredBy: 0, namedIn: () => undefined };
  return detailOf(message, relations).lines.flatMap(({ name, value, sought = "" }) => {
    if (value === undefined) return [];
    const filter = `${name} == ${value}`;
    const found = new TextSearch(sought, []).hitsIn(message).length > 0;
    return [{ filter, passes: compileFilter(filter, vocabulary)(message), found }];
  });
}

function hex(bytes: Iterable<number>): string {
  return Buffer.from([...bytes]).toString("hex");
}

describe("the menu of a field", () => {
  it("means the field, also if something that is known of every message has its name", () => {
    expect(offers(1, "a")[0]).toEqual({ filter: ".status == 65", passes: true, found: true });
  });

  it("knows nothing but true and false of a boolean", () => {
    expect(offers(128, "a")[1]).toEqual({ filter: "isSealed == true", passes: true, found: true });
    expect(offers(0, "a")[1]).toEqual({ filter: "isSealed == false", passes: true, found: true });
  });

  it.each(["Shorah", "dat\\Ae'gura.prp", 'so "called"', "a\b\f\n\r\t\0\u0001\\b\u2028📖"])(
    "finds a text: %j",
    (line) => {
      expect(
        offers(1, line)
          .slice(2)
          .every(({ passes, found }) => passes && found),
      ).toBe(true);
    },
  );
});
