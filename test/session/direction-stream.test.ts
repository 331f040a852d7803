import { describe, expect, it } from "vitest";
import { Rc4 } from "../../src/dissector/rc4.js";
import { defaultLimits } from "../../src/limits.js";
import { DirectionStream } from "../../src/session/stream/direction-stream.js";
import { SkipAllowance } from "../../src/session/stream/skip-allowance.js";

const KEY = Uint8Array.of(1, 2, 3, 4, 5, 6, 7);

function newStream(): DirectionStream {
  return new DirectionStream(defaultLimits, new SkipAllowance(defaultLimits));
}

function origin(frame: number) {
  return { frame, seconds: frame, nanoseconds: 0 };
}

/** The readable bytes, as text. */
function readable({ bytes, start, end }: DirectionStream): string {
  return Buffer.from(bytes.subarray(start, end)).toString("latin1");
}

/** The text encrypted with RC4, in a stream with `before` bytes before it. */
function encrypted(text: string, before = 0): Uint8Array {
  const bytes = Buffer.from("\0".repeat(before) + text, "latin1");
  new Rc4(KEY).apply(bytes);
  return bytes.subarray(before);
}

describe("a stream", () => {
  it("holds what was appended until it is consumed", () => {
    const stream = newStream();
    for (let index = 0; index < 5000; index++) {
      const bytes = Buffer.from(`<${index}>`);
      stream.append(bytes, origin(index + 1));
      bytes.fill(0);
      if (index % 3 === 0) stream.consume(2);
    }
    const all = Array.from({ length: 5000 }, (_, index) => `<${index}>`).join("");
    expect(readable(stream)).toBe(all.slice(stream.offset));
    expect(stream.held).toBeGreaterThan(all.length - stream.offset);
  });

  it("knows where each byte came from", () => {
    const stream = newStream();
    stream.append(Buffer.from("abc"), origin(1));
    stream.append(Buffer.from("de"), origin(4));
    stream.append(Buffer.from("f"), origin(3));
    const frames = (length: number) => stream.originsOf(length).map(({ frame }) => frame);
    expect([1, 3, 4, 5, 6].map(frames)).toEqual([[1], [1], [1, 4], [1, 4], [1, 4, 3]]);
    stream.consume(4);
    expect([1, 2].map(frames)).toEqual([[4], [4, 3]]);
  });

  it("ends at a gap, and continues after it", () => {
    const stream = newStream();
    stream.append(Buffer.from("abc"), origin(1));
    stream.appendGap(10, "lost", origin(2));
    stream.append(Buffer.from("def"), origin(2));
    stream.appendGap(5, "cut", origin(3));
    stream.append(Buffer.from("g"), origin(4));
    expect(readable(stream)).toBe("abc");
    stream.consume(1);
    expect(readable(stream)).toBe("bc");
    stream.consume(2);
    expect(stream.gap).toMatchObject({ offset: 3, length: 10, reason: "lost" });
    stream.skipGap();
    expect([stream.offset, readable(stream)]).toEqual([13, "def"]);
    stream.skipBytes(3);
    expect(stream.gap).toMatchObject({ offset: 16, length: 5, reason: "cut" });
    stream.skipGap();
    expect([stream.offset, readable(stream), stream.gap]).toEqual([21, "g", undefined]);
    expect(stream.originsOf(1)).toMatchObject([{ frame: 4 }]);
  });

  it("knows whether the bytes after the last message are complete", () => {
    const stream = newStream();
    stream.append(Buffer.from("abc"), origin(1));
    stream.appendGap(1, "lost", origin(2));
    stream.append(Buffer.from("def"), origin(2));
    stream.consume(3);
    expect(stream.broken).toBe(false);
    stream.skipGap();
    expect(stream.broken).toBe(true);
    stream.skipBytes(1);
    stream.consume(2);
    expect(stream.broken).toBe(false);
    stream.abandon();
    expect(stream.broken).toBe(true);
    stream.renew();
    expect([stream.broken, readable(stream)]).toEqual([false, ""]);
  });
});

describe("a cipher", () => {
  it("is applied to what follows the last message, and to all that arrives", () => {
    const stream = newStream();
    stream.append(Buffer.from("clear"), origin(1));
    stream.append(encrypted("secret"), origin(2));
    stream.consume(5);
    stream.decrypt(new Rc4(KEY));
    stream.append(encrypted(" words", 6), origin(3));
    expect(readable(stream)).toBe("secret words");
  });

  it.each([1, 2, 3])("stays in step after gaps, whenever it is set (%i)", (when) => {
    const stream = newStream();
    const steps = [
      () => stream.append(encrypted("one"), origin(1)),
      () => stream.appendGap(1000, "lost", origin(2)),
      () => stream.append(encrypted("two", 1003), origin(2)),
      () => stream.appendGap(77, "cut", origin(2)),
      () => stream.append(encrypted("three", 1083), origin(3)),
    ];
    steps.forEach((step, index) => {
      if (index === when) stream.decrypt(new Rc4(KEY));
      step();
    });
    const found: string[] = [];
    for (;;) {
      found.push(readable(stream));
      stream.skipBytes(stream.end - stream.start);
      if (stream.gap === undefined) break;
      stream.skipGap();
    }
    expect(found).toEqual(["one", "two", "three"]);
  });

  it("that is set after a gap begins after the last message", () => {
    const stream = newStream();
    stream.append(Buffer.from("clear"), origin(1));
    stream.consume(5);
    stream.appendGap(20, "lost", origin(2));
    stream.append(encrypted("two", 20), origin(2));
    stream.skipGap();
    stream.skipBytes(1);
    stream.decrypt(new Rc4(KEY));
    expect(readable(stream)).toBe("wo");
  });
});
