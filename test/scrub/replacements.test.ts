import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Replacements } from "../../src/scrub/replacements.js";

/** A sequence in Latin-1, and the bytes per character if it is a number. */
type Sought = readonly [text: string, digitWidth: number];

function bytesOf(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

/** The replacement of a sequence: as long, and different for each. */
function replacementOf(index: number, length: number): Buffer {
  return Buffer.alloc(length, 1 + index);
}

function replacing(sought: readonly Sought[]): Replacements {
  const replacements = new Replacements();
  for (const [index, [text, digitWidth]] of sought.entries()) {
    replacements.add(bytesOf(text), replacementOf(index, text.length), digitWidth);
  }
  return replacements;
}

/** Replaces by trying every sequence at every place. */
function replacedOneByOne(sought: readonly Sought[], text: string, start: number, end: number): Buffer {
  const bytes = bytesOf(text);
  const byLength = [...sought.entries()].sort(([, [a]], [, [b]]) => b.length - a.length);
  for (let at = start; at < end; at++) {
    const isDigit = (place: number) =>
      place >= start && place < end && /\d/.test(bytes.toString("latin1")[place] ?? "");
    const found = byLength.find(([, [own, width]]) => {
      const after = at + own.length;
      if (own.length < 4 || after > end || text.slice(at, after).toLowerCase() !== own.toLowerCase()) return false;
      return width === 0 || (!isDigit(at - width) && !isDigit(after));
    });
    if (found === undefined) continue;
    const [index, [{ length }]] = found;
    bytes.set(replacementOf(index, length), at);
    at += length - 1;
  }
  return bytes;
}

function inverted(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.map((byte) => ~byte & 0xff));
}

describe("of sequences that begin alike", () => {
  it("the longest one is replaced, and of equal ones the first", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "A", "b", "1"), maxLength: 9 });
    const text = letters.map((end) => `aaaa${end}`);
    const number = fc.tuple(fc.stringMatching(/^11[12]{0,5}$/), fc.constantFrom(1, 2));
    const sought = fc.array(fc.oneof(fc.tuple(fc.oneof(text, letters), fc.constant(0)), number), { maxLength: 40 });
    const searched = fc.array(fc.oneof(text, letters, fc.stringMatching(/^[12]{0,8}$/)), { maxLength: 8 });
    const margin = fc.nat({ max: 3 });
    fc.assert(
      fc.property(sought, searched, margin, margin, (sequences, parts, before, after) => {
        const all = parts.join("");
        const end = Math.max(before, all.length - after);
        const expected = replacedOneByOne(sequences, all, before, end);
        const replacements = replacing(sequences);
        const bytes = bytesOf(all);
        replacements.replace(bytes, before, end);
        expect(bytes).toEqual(expected);
        const other = inverted(bytesOf(all));
        replacements.replace(other, before, end);
        expect(inverted(other)).toEqual(expected);
      }),
    );
  });

  it("a text is replaced where a number of the same bytes is not, as part of a longer one", () => {
    const replacements = replacing([
      ["1112", 1],
      ["1112", 0],
    ]);
    const bytes = bytesOf("21112 1112");
    expect(replacements.replace(bytes, 0, bytes.length)).toBe(2);
    expect(bytes).toEqual(Buffer.concat([bytesOf("2"), replacementOf(1, 4), bytesOf(" "), replacementOf(0, 4)]));
  });

  it("any may be added after others were searched for", () => {
    const replacements = replacing([["player 1", 0]]);
    expect(replacements.occursIn(bytesOf("player 2"))).toBe(false);
    replacements.add(bytesOf("player 2"), replacementOf(1, 8));
    expect(replacements.occursIn(bytesOf("player 2"))).toBe(true);
  });
});

describe("the work for a sequence", () => {
  const many = Array.from({ length: 1000 }, (_, index): Sought => [`player ${1000 + index} says hello`, 0]);

  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("that is added hardly grows with the number of those that begin alike", () => {
    const compare = vi.spyOn(Buffer, "compare");
    expect(replacing(many).occursIn(bytesOf("player 1999 says hello"))).toBe(true);
    expect(compare.mock.calls.length).toBeLessThan(20 * many.length);
  });

  it("that is searched for hardly grows with their number", () => {
    const replacements = replacing(many);
    for (const [text, count] of [
      ["player 1999 says hello", 1],
      ["player 1999 says nothing", 0],
      ["player 5 says hello", 0],
    ] as const) {
      let reads = 0;
      const watched = new Proxy(new Uint8Array(bytesOf(text)), {
        get: (bytes, name) => {
          reads++;
          return Reflect.get(bytes, name);
        },
      });
      expect(replacements.replace(watched, 0, text.length)).toBe(count);
      expect(reads).toBeLessThan(1000);
    }
  });
});
