import { expect, it } from "vitest";
import { type Codec, coded, struct } from "../../src/schema/index.js";
import { type Said, Talks } from "../support/talk.js";
import { toyDissector } from "../support/toy.js";

/** A line, whose length only its end shows; counts the bytes that are examined. */
function countingLine() {
  let looks = 0;
  const codec: Codec<string> = {
    measure(view, start, limit) {
      for (let at = start; at < limit; at++) {
        looks++;
        if (view.getUint8(at) === 10) return at + 1 - start;
      }
      return -(limit - start + 1);
    },
    read: (bytes, start, end) => Buffer.from(bytes.subarray(start, end - 1)).toString("latin1"),
    write: (value) => Buffer.from(`${value}\n`, "latin1"),
  };
  const Line = struct("Line", { text: coded("line", codec) });
  return { Line, looks: () => looks };
}

function lineInPieces(length: number, end: string) {
  const { Line, looks } = countingLine();
  const talks = new Talks([toyDissector({ next: () => ({ step: "message", type: Line }) })]);
  const whole = Buffer.from("a".repeat(length) + end, "latin1");
  const said: Said[] = [];
  for (let at = 0; at < whole.length; at += 8) said.push(["c", whole.subarray(at, at + 8)]);
  talks.tcp(["192.0.2.2", 1000], said, { fin: false });
  const atOnce = talks.messages.length;
  return { messages: talks.end(), atOnce, looks: looks() };
}

it("what arrives in small pieces is not examined again with each of them", () => {
  const { messages, looks } = lineInPieces(80_000, "");
  expect(messages.map(({ name, status, length }) => ({ name, status, length }))).toEqual([
    { name: "Line", status: "truncated", length: 80_000 },
  ]);
  expect(looks).toBeLessThan(100 * 80_000);
});

it("what is short is examined with each piece, so that it is shown as soon as it is complete", () => {
  const { messages, atOnce } = lineInPieces(5000, "\nb\n");
  expect(atOnce).toBe(2);
  expect(messages.map(({ name, status, length }) => ({ name, status, length }))).toEqual([
    { name: "Line", status: "ok", length: 5001 },
    { name: "Line", status: "ok", length: 2 },
  ]);
});
