import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { TextOutput } from "../../src/cli/writing/text-output.js";

/** A slow stream; `fd` makes it one of the system's. */
class Slow extends Writable {
  readonly chunks: Buffer[] = [];
  readonly texts: string[] = [];
  readonly #waiting: (() => void)[] = [];

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.chunks.push(chunk);
    this.#waiting.push(() => {
      // The content is taken when the write completes, not when it begins.
      this.texts.push(chunk.toString());
      done();
    });
  }

  async goOn(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      next();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

function systemStream(): Slow {
  return Object.assign(new Slow(), { fd: 1 });
}

const STREAMS = [
  ["a system stream", systemStream],
  ["any other stream", () => new Slow()],
] as const;

const line = (number: number) => `${String(number).padStart(6, "0")} ${"x".repeat(1000)}\n`;

describe("text output", () => {
  it.each(STREAMS)("goes out completely and in order, however late: %s", async (_, make) => {
    const stream = make();
    const output = TextOutput.on(stream);
    let expected = "";
    for (let number = 0; number < 1000; number++) {
      // Some are longer than what is gathered else.
      const text = number % 100 === 7 ? line(number).repeat(100) : line(number);
      expected += text;
      output.write(number % 2 === 0 ? text : Buffer.from(text));
      if (number % 100 === 99) await stream.goOn();
    }
    output.flush();
    await stream.goOn();
    expect(stream.texts.join("")).toBe(expected);
  });

  it.each(STREAMS)("is full while more than 16 MiB wait to be written: %s", async (_, make) => {
    const stream = make();
    const output = TextOutput.on(stream);
    output.handOver(Buffer.alloc(16 * 1024 * 1024), () => {});
    expect(output.isFull).toBe(false);
    output.write("x");
    output.flush();
    expect(output.isFull).toBe(true);
    const drained = output.drained();
    await stream.goOn();
    await drained;
    expect(output.isFull).toBe(false);
  });

  it("is full no longer than it takes a stream that writes at once to say so", async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
    const output = TextOutput.on(stream);
    output.handOver(Buffer.alloc(20 * 1024 * 1024), () => {});
    expect(output.isFull).toBe(true);
    await output.drained();
    expect(output.isFull).toBe(false);
  });

  it("reuses a block only once the system has taken it", async () => {
    for (const [stream, isReused] of [
      [systemStream(), true],
      [new Slow(), false],
    ] as const) {
      const output = TextOutput.on(stream);
      for (let number = 0; number < 10; number++) {
        output.write(line(number));
        output.flush();
        await stream.goOn();
      }
      expect(new Set(stream.chunks.map(({ buffer }) => buffer)).size < 10).toBe(isReused);
    }
  });

  it("does not copy the bytes passed to it, and keeps their place", async () => {
    const stream = new Slow();
    const output = TextOutput.on(stream);
    const own = Buffer.from("own\n");
    output.write("before\n");
    output.handOver(own, () => {});
    output.write("behind\n");
    output.flush();
    await stream.goOn();
    expect(stream.texts.join("")).toBe("before\nown\nbehind\n");
    expect(stream.chunks[1]?.buffer).toBe(own.buffer);
  });

  it("says when the bytes passed to it may be changed, if that can be known", async () => {
    for (const [stream, isKnown] of [
      [systemStream(), true],
      [new Slow(), false],
    ] as const) {
      let isWritten = false;
      const output = TextOutput.on(stream);
      output.handOver(Buffer.from("own\n"), () => {
        isWritten = true;
      });
      expect(isWritten).toBe(false);
      await stream.goOn();
      expect(isWritten).toBe(isKnown);
    }
  });
});
