import { describe, expect, it } from "vitest";
import { cutEnd, cutStart, widthOf } from "../../src/output/writers/text-width.js";

describe("the width of a text", () => {
  it.each([
    ["", 0],
    ["Alice of D'ni", 13],
    ["Böb", 3],
    ["Шора", 4],
    // A letter and an accent that combines with it.
    ["e\u0301", 1],
    ["山田", 4],
    ["안녕", 4],
    ["ｆｕｌｌ", 8],
    // Surrogate pairs.
    ["📖", 2],
    ["𝒟", 1],
    ["𠀀", 2],
    // Terminals differ; nothing may wrap on any.
    ["☺\ufe0f", 2],
  ])("of %j is %d", (text, width) => expect(widthOf(text)).toBe(width));
});

describe("a text that is cut", () => {
  it("stays as it is if it fits", () => {
    expect(cutEnd("山田!", 5)).toEqual({ text: "山田!", width: 5 });
    expect(cutStart("山田!", 5)).toEqual({ text: "山田!", width: 5 });
  });

  it("ends or begins with an ellipsis if it does not", () => {
    expect(cutEnd("abcdef", 4)).toEqual({ text: "abc…", width: 4 });
    expect(cutStart("abcdef", 4)).toEqual({ text: "…def", width: 4 });
  });

  it("has no half of a wide character or of a surrogate pair", () => {
    expect(cutEnd("📖📖📖", 4)).toEqual({ text: "📖…", width: 3 });
    expect(cutStart("📖📖📖", 4)).toEqual({ text: "…📖", width: 3 });
    expect(cutEnd("a山", 2)).toEqual({ text: "a…", width: 2 });
  });

  it("keeps an accent with its letter", () => expect(cutEnd("e\u0301e\u0301e\u0301", 2).text).toBe("e\u0301…"));

  it("fits into any number of columns", () => {
    for (const text of ["Шора 📖 山田 e\u0301", "plain", ""]) {
      for (let columns = 0; columns < 20; columns++) {
        for (const cut of [cutEnd, cutStart]) {
          const { text: shown, width } = cut(text, columns);
          expect(width).toBe(widthOf(shown));
          expect(width).toBeLessThanOrEqual(columns);
        }
      }
    }
  });
});
