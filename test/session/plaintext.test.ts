import { expect, it } from "vitest";
import { PlaintextDirection } from "../../src/session/stream/plaintext.js";

it("a listener that throws is called once for each packet and gap, and never again for the same", () => {
  const seen: unknown[] = [];
  const throws = (...what: readonly unknown[]) => {
    seen.push(what);
    throw new Error("boom");
  };
  const plaintext = new PlaintextDirection("c2s", {
    bytes: (_direction, bytes) => throws(Buffer.from(bytes).toString()),
    gap: (_direction, length) => throws(length),
    datagram: throws,
    foreign: (_direction, { frame }) => throws("foreign", frame),
  });
  const buffer = Buffer.from("abcdef");
  const origin = (frame: number) => ({ frame, seconds: 0, nanoseconds: 0 });
  plaintext.received(3, origin(1));
  plaintext.received(2, origin(2), "lost");
  plaintext.received(3, origin(3));
  plaintext.received(1, origin(4), "lost");
  plaintext.leave(8);
  const report = () => plaintext.report(9, buffer, buffer.length);
  for (let call = 0; call < 4; call++) expect(report).toThrow("boom");
  expect(report).not.toThrow();
  expect(seen).toEqual([["abc"], [2], ["def"], ["foreign", 4]]);
});
