import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonWriter } from "../../src/output/json/json-writer.js";
import { Ascii } from "../../src/output/writers/ascii.js";
import { PackedBytes } from "../../src/output/writers/packed-bytes.js";
import { safeJson } from "../../src/output/writers/sanitise.js";
import { anyText } from "../support/any-text.js";
import { expectSame } from "../support/same.js";

/** The fast ways to write JSON give the same as `JSON.stringify`, made safe for a terminal. */

function written(write: (writer: JsonWriter) => void): string {
  const writer = new JsonWriter();
  write(writer);
  expectSame(Buffer.from(writer.bytes).toString("utf8"), writer.toString());
  return writer.toString();
}

/** Texts of arbitrary characters, and of characters that the writer treats differently. */
const texts = fc.oneof(
  anyText({ maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('"', "\\", "a", "~", " ", "\u007f", "\u0080"), maxLength: 80 }),
  fc.string({ unit: fc.constantFrom("a", "\u00a0", "\u00ad", "ö", "\u05ff", "\u0600", "\u061c", "…"), maxLength: 80 }),
  fc.string({ unit: fc.constantFrom("a", "\u200b", "\u202e", "\ud800", "\udc00", "\ud83d\ude00"), maxLength: 50 }),
);

describe("strings", () => {
  it("are the same as if written by way of text", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expectSame(
          written((writer) => writer.string(text)),
          safeJson(text),
        );
        expectSame(
          written((writer) => writer.name(text)),
          safeJson(text),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it("are right for each single character", () => {
    const wrong: string[] = [];
    for (let code = 0; code < 0x10000; code++) {
      const text = `x${String.fromCharCode(code)}y`;
      const writer = new JsonWriter();
      writer.string(text);
      if (writer.toString() !== safeJson(text)) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  it("are right however long they are, even for a buffer that is too small", () => {
    for (const length of [31, 32, 33, 70_000]) {
      for (const unit of ["a", '"', "ö", "…", "\u0000"]) {
        const text = unit.repeat(length);
        expectSame(
          written((writer) => writer.string(text)),
          safeJson(text),
        );
      }
    }
  });

  it("are copied from bytes if none of them needs an escape", () => {
    const copy = (bytes: Uint8Array, start: number, end: number, target: Uint8Array, at: number) => {
      target.set(bytes.subarray(start, end), at);
      return bytes.subarray(start, end).every((byte) => byte < 0x80) ? end - start : -1;
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        const writer = new JsonWriter();
        const text = Buffer.from(bytes).toString("latin1");
        if (writer.quotedAscii(copy, bytes, 0, bytes.length)) expectSame(writer.toString(), safeJson(text));
        else expect([writer.toString(), /[^ !#-[\]-~]/.test(text)]).toEqual(["", true]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("numbers", () => {
  it("are the same as in JSON", () => {
    const any = fc.oneof(fc.integer(), fc.integer({ min: 0, max: 2 ** 32 }), fc.double(), fc.float());
    fc.assert(
      fc.property(any, (number) => {
        const expected = Number.isFinite(number) ? (Object.is(number, -0) ? "-0" : `${number}`) : `"${number}"`;
        expectSame(
          written((writer) => writer.number(number)),
          expected,
        );
      }),
      { numRuns: 5000 },
    );
  });

  it("of single precision are the same as in JSON, whatever their size", () => {
    const view = new DataView(new ArrayBuffer(4));
    const wrong: string[] = [];
    const writer = new JsonWriter();
    // A step that is no multiple of a power of two, so that all bits vary.
    for (let bits = 0; bits < 2 ** 32; bits += 14_591) {
      view.setUint32(0, bits);
      const number = view.getFloat32(0);
      if (!Number.isFinite(number)) continue;
      writer.clear();
      writer.number(number);
      if (writer.toString() !== (Object.is(number, -0) ? "-0" : String(number))) wrong.push(String(number));
    }
    expect(wrong).toEqual([]);
  });

  it.each([0, 9, 10, 99, 100, 999, 1000, 2147483647, 2147483648, 4294967295, 4294967296, -1, -2147483648, -4294967295])(
    "are right at the edges: %d",
    (number) => {
      expectSame(
        written((writer) => writer.number(number)),
        String(number),
      );
    },
  );
});

describe("values", () => {
  it("of any shape are the same as in JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expectSame(
          written((writer) => writer.value(value)),
          safeJson(value),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it("are hexadecimal digits for bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expectSame(
          written((writer) => writer.hexString(bytes)),
          `"${Buffer.from(bytes).toString("hex")}"`,
        );
      }),
    );
  });
});

describe("a text that is written often", () => {
  it("is the same in pieces of eight bytes, whatever follows it", () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 20 }), (parts) => {
        const json = parts.map((text) => JSON.stringify(text).replace(/[\u007f-\uffff]/g, "ü"));
        const text = written((writer) => {
          for (const part of json) {
            writer.constant(new PackedBytes(part));
            writer.byte(Ascii.Comma);
          }
        });
        expect(text).toBe(json.map((part) => `${part},`).join(""));
      }),
    );
  });

  it("always finds room, however full the buffer is", () => {
    const constant = new PackedBytes('"twelve chars":');
    const writer = new JsonWriter();
    for (let count = 0; count < 20_000; count++) writer.constant(constant);
    expect(writer.toString()).toBe('"twelve chars":'.repeat(20_000));
    writer.clear();
    writer.ascii("true");
    expect(writer.toString()).toBe("true");
  });
});
