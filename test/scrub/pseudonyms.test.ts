import { expect, it } from "vitest";
import { Pseudonyms } from "../../src/scrub/pseudonyms.js";
import { growthOf } from "../support/growth.js";

it("pseudonyms of long values cost in proportion to their lengths, and do not repeat", async () => {
  const pseudonyms = new Pseudonyms(new Uint8Array(32), () => false);
  expect(await growthOf((size) => pseudonyms.bytes(new Uint8Array(size), size), 65_536)).toBeLessThan(6);
  expect(await growthOf((size) => pseudonyms.text("chat", "x".repeat(size)), 65_536)).toBeLessThan(6);
  const blocks = Buffer.from(pseudonyms.bytes("value", 3200)).toString("hex").match(/.{64}/g);
  expect(new Set(blocks).size).toBe(100);
});
