import { type Codec, coded, decodeText } from "moul-dissect/schema";

/** Words and lines of the list server's text. Source: facts, section 7. */

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/** Measures up to the first byte that `isEnd` accepts, that byte included; see `Codec.measure`. */
function measureTo(isEnd: (byte: number) => boolean) {
  return (view: DataView, start: number, limit: number): number => {
    for (let at = start; at < limit; at++) if (isEnd(view.getUint8(at))) return at + 1 - start;
    return -(limit - start + 1);
  };
}

const measureWord = measureTo((byte) => byte === SPACE || byte === LF);

function withoutEnd(bytes: Uint8Array, start: number, end: number): string {
  const last = bytes[end - 1];
  const stop = last === LF && end - 2 >= start && bytes[end - 2] === CR ? end - 2 : end - 1;
  return decodeText(bytes.subarray(start, stop));
}

const wordCodec: Codec<string> = {
  measure: measureWord,
  read: withoutEnd,
  yields: "text",
  write: (value) => Buffer.from(`${value} `, "utf8"),
  plan: { form: "word" },
};

/** A word, with the space or line break that follows it. */
export const word = coded("word", wordCodec);

/**
 * A word of which the protocol says what it can be.
 *
 * @param like the same pattern in Lua
 */
export function wordLike(pattern: RegExp, problem: string, like: string) {
  return coded("word", {
    ...wordCodec,
    plan: { form: "word", parts: { like, problem } },
    problem: (bytes, start, end) => (pattern.test(withoutEnd(bytes, start, end)) ? undefined : problem),
  });
}

/** The value of a string of digits; NaN if it has anything else in it. */
function wholeNumber(text: string, digits: RegExp, radix: 10 | 16): number {
  return digits.test(text) ? Number.parseInt(text, radix) : Number.NaN;
}

const NO_NUMBER = "is not a number";

function decimalIn(bytes: Uint8Array, start: number, end: number): number {
  return wholeNumber(withoutEnd(bytes, start, end), /^[+-]?\d+$/, 10);
}

const numberCodec: Codec<number> = {
  measure: measureWord,
  read: decimalIn,
  yields: "number",
  problem: (bytes, start, end) => (Number.isNaN(decimalIn(bytes, start, end)) ? NO_NUMBER : undefined),
  write: (value) => Buffer.from(`${value} `, "latin1"),
  plan: { form: "decimal" },
};

/** A number in decimal digits, with the space or line break that follows it. */
export const decimal = coded("decimal", numberCodec);

const lineCodec: Codec<string> = {
  measure: measureTo((byte) => byte === LF),
  read: withoutEnd,
  yields: "text",
  write: (value) => Buffer.from(`${value}\n`, "utf8"),
  plan: { form: "line" },
};

/** The rest of a line with its line break. */
export const line = coded("line", lineCodec);

/** A line break with nothing before it. */
export const emptyLine = coded("line", {
  ...lineCodec,
  plan: { form: "line", parts: { isEmpty: true } },
  problem: (bytes, start, end) => (withoutEnd(bytes, start, end) === "" ? undefined : "is not empty"),
});

const linesCodec: Codec<string> = {
  measure(view, start, limit) {
    let lineStart = start;
    for (let at = start; at < limit; at++) {
      if (view.getUint8(at) !== LF) continue;
      const isEmpty = at === lineStart || (at === lineStart + 1 && view.getUint8(lineStart) === CR);
      if (isEmpty) return at + 1 - start;
      lineStart = at + 1;
    }
    return -(limit - start + 1);
  },
  read: (bytes, start, end) => decodeText(bytes.subarray(start, end)).trimEnd(),
  yields: "text",
  write: (value) => Buffer.from(`${value}\r\n\r\n`, "utf8"),
  plan: { form: "lines" },
};

/** Lines up to an empty one, such as the headers of HTTP. */
export const lines = coded("lines", linesCodec);

/** Four hexadecimal digits, with `after` to separate them from what follows. */
function hexNumber(after: string): Codec<number> {
  const width = 4 + after.length;
  const read = (bytes: Uint8Array, start: number) =>
    wholeNumber(decodeText(bytes.subarray(start, start + 4)), /^[\da-f]{4}$/i, 16);
  return {
    measure: (_view, start, limit) => (start + width > limit ? -width : width),
    read,
    yields: "number",
    problem: (bytes, start, end) =>
      Number.isNaN(read(bytes, start)) || decodeText(bytes.subarray(start + 4, end)) !== after ? NO_NUMBER : undefined,
    write: (value) => Buffer.from(value.toString(16).padStart(4, "0") + after, "latin1"),
    plan: { form: "hex16", parts: { after } },
  };
}

/** A number of 16 bits in hexadecimal digits. */
export const hex16 = coded("hex16", hexNumber(""));

/** The same, followed by a space. */
export const lastHex16 = coded("hex16", hexNumber(" "));
