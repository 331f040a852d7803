import { expect, it } from "vitest";
import { palette } from "../../src/output/text/palette.js";

const SERVERS = ["moul.gatekeeper", "moul.file", "moul.auth", "moul.game", "moul.csr", "moul.status"];

it("every server of a session has its own colour, which is not used for trouble, and keeps it", async () => {
  const { protocol, severity } = await palette(true);
  const colored = SERVERS.map((name) => protocol(name)("x"));
  expect(new Set([...colored, severity("error")("x"), severity("warning")("x")]).size).toBe(SERVERS.length + 2);
  expect(SERVERS.map((name) => protocol(name)("x"))).toEqual(colored);
});

it("without colours nothing is coloured", async () => {
  const { protocol, severity } = await palette(false);
  expect([protocol("moul.auth")("x"), severity("error")("x")]).toEqual(["x", "x"]);
});
