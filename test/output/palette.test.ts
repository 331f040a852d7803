import { expect, it } from "vitest";
import { bzflag } from "../../dissectors/bzflag/index.js";
import { palette } from "../../src/output/text/terminal-palette.js";

const SERVERS = ["moul.gatekeeper", "moul.file", "moul.auth", "moul.game", "moul.csr", "moul.status"];

it("every server of a session has its own colour, which is not used for trouble, and keeps it", async () => {
  const { protocol, severity } = await palette(true);
  const colored = SERVERS.map((name) => protocol(name)("x"));
  expect(new Set([...colored, severity("error")("x"), severity("warning")("x")]).size).toBe(SERVERS.length + 2);
  expect(SERVERS.map((name) => protocol(name)("x"))).toEqual(colored);
});

it("a protocol has the same colour in every session, whichever comes first", async () => {
  const names = [...SERVERS, "bzflag.107e", "bzflag.list", "bzflag.ping", "toy", "another.one"];
  const colors = async (order: readonly string[]) => {
    const { protocol } = await palette(true);
    return new Map(order.map((name) => [name, protocol(name)("x")]));
  };
  const forwards = await colors(names);
  const backwards = await colors(names.toReversed());
  for (const name of names) expect(backwards.get(name), name).toBe(forwards.get(name));
});

it("games, list servers and pings of BZFlag have different colours, too", async () => {
  const { protocol } = await palette(true);
  const others = new Set(["bzflag.list", "bzflag.ping"].map((name) => protocol(name)("x")));
  expect(others.size).toBe(2);
  const versions = bzflag.protocols.filter((name) => !["bzflag.list", "bzflag.ping"].includes(name));
  expect(versions).toContain("bzflag.107e");
  expect(versions.filter((name) => others.has(protocol(name)("x")))).toEqual([]);
});

it("without colours nothing is coloured", async () => {
  const { protocol, severity } = await palette(false);
  expect([protocol("moul.auth")("x"), severity("error")("x")]).toEqual(["x", "x"]);
});
