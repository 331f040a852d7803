import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonWriter } from "../../src/output/json/json-writer.js";
import { LineWriter } from "../../src/output/writers/line-writer.js";
import { printable, safeJson } from "../../src/output/writers/sanitise.js";
import { absoluteTime, writeAbsoluteTime } from "../../src/output/writers/time.js";
import { singleText } from "../../src/schema/tree/single-text.js";
import { anySingle } from "../support/any-single.js";
import { anyText } from "../support/any-text.js";
import { expectSame } from "../support/same.js";

/** Lines of text are built as bytes: they contain what strings would have given. */

function written(write: (writer: LineWriter) => void): string {
  const writer = new LineWriter();
  write(writer);
  return writer.toString();
}

const texts = fc.oneof(
  anyText({ maxLength: 60 }),
  fc.string({ unit: fc.constantFrom("a", '"', "\\", "~", "\u007f", "\u001b", "ö", "…"), maxLength: 60 }),
  fc.string({ unit: fc.constantFrom("a", "\u200b", "\u202e", "\ud800", "\udc00", "\ud83d\ude00"), maxLength: 50 }),
);

describe("a line", () => {
  it("contains captured text in a form that no terminal obeys", () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const line = written((writer) => {
          writer.text(one);
          writer.quote();
          writer.text(other);
        });
        expectSame(line, `${printable(one)}"${printable(other)}`);
      }),
      { numRuns: 2000 },
    );
  });

  it("contains safe text unchanged, with its colours", () => {
    for (const text of ["", "plain", "\u001b[1mbold\u001b[22m", "größer…"]) {
      expectSame(
        written((writer) => writer.safe(text)),
        text,
      );
    }
  });

  it("can be cut to a length, and then continued from there", () => {
    const long = "ab".repeat(50_000);
    const line = written((writer) => {
      writer.text("<");
      const { length } = writer;
      writer.text(long);
      writer.truncate(length);
      writer.text(`${long}>`);
    });
    expect(line).toBe(`<${long}>`);
  });

  it("contains numbers of single precision as other texts do", () => {
    fc.assert(
      fc.property(anySingle, (value) =>
        expectSame(
          written((writer) => writer.rounded(value)),
          singleText(value),
        ),
      ),
      { numRuns: 5000 },
    );
  });

  it("contains the beginning of a text that is copied, or nothing of one that has to be changed", () => {
    const copy = (bytes: Uint8Array, start: number, end: number, target: Uint8Array, at: number) => {
      target.set(bytes.subarray(start, end), at);
      return end - start;
    };
    const copied = (text: string, most?: number) =>
      written((writer) => {
        const bytes = Buffer.from(text);
        writer.text(writer.copied(copy, bytes, 0, bytes.length, most) ? "." : "!");
      });
    expect([copied("abc"), copied("abc", 3), copied("abc", 2)]).toEqual(["abc.", "abc.", "ab…."]);
    expect([copied("ab\u001b", 2), copied("a\n", 1)]).toEqual(["!", "!"]);
  });

  it("contains whole numbers, padded to a width", () => {
    const numbers = fc.oneof(fc.nat(), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));
    fc.assert(
      fc.property(numbers, fc.nat(20), fc.constantFrom("0", " "), (number, width, before) => {
        const line = written((writer) => writer.digits(number, width, before.charCodeAt(0)));
        expectSame(line, String(number).padStart(width, before));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a time of capture", () => {
  it("is written the same as its text", () => {
    const seconds = fc.oneof(fc.nat(2 ** 32), fc.integer({ min: -(2 ** 40), max: 2 ** 45 }));
    fc.assert(
      fc.property(seconds, fc.nat(999_999_999), fc.boolean(), (second, nanosecond, isMicrosecond) => {
        const nanoseconds = isMicrosecond ? nanosecond - (nanosecond % 1000) : nanosecond;
        const origin = { frame: 1, seconds: second, nanoseconds };
        expect(written((writer) => writeAbsoluteTime(writer, origin))).toBe(absoluteTime(origin));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("captured text within a string of JSON", () => {
  it("is the same as if the whole string were written at once", () => {
    const wellFormed = texts.map((text) => Buffer.from(text).toString());
    fc.assert(
      fc.property(wellFormed, wellFormed, (one, other) => {
        const writer = new JsonWriter();
        writer.text(one);
        writer.quote();
        writer.text(other);
        expectSame(`"${writer.toString()}"`, safeJson(`${one}"${other}`));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a time of capture", () => {
  it("has microseconds, or nanoseconds if there are any", () => {
    const seconds = fc.oneof(fc.nat(), fc.integer({ min: -1000, max: 2 ** 33 }));
    fc.assert(
      fc.property(seconds, fc.nat(999_999_999), fc.boolean(), (seconds, any, isWhole) => {
        const nanoseconds = isWhole ? any - (any % 1000) : any;
        const digits = String(nanoseconds).padStart(9, "0");
        const whole = new Date(seconds * 1000).toISOString().slice(0, 19);
        const fraction = nanoseconds % 1000 === 0 ? digits.slice(0, 6) : digits;
        expect(absoluteTime({ frame: 1, seconds, nanoseconds })).toBe(`${whole}.${fraction}Z`);
      }),
    );
  });
});
