import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { coloringRules } from "../../src/wireshark/index.js";
import { sample } from "../support/samples.js";
import { hasTshark, WithPlugin } from "./with-plugin.js";

const rules = [...coloringRules().matchAll(/^@([^@]+)@([^@]+)@(.*)$/gm)].map(([, name = "", filter = "", colors]) => ({
  name,
  filter,
  colors,
}));

describe.skipIf(!hasTshark)("the colouring rules (skipped without tshark)", () => {
  let plugin: WithPlugin;
  beforeAll(() => {
    plugin = new WithPlugin();
  });
  afterAll(() => plugin.close());

  test("are all in Wireshark's form, with two colours", () => {
    expect(rules.length).toBe(
      coloringRules()
        .split("\n")
        .filter((line) => line.startsWith("@")).length,
    );
    for (const { colors } of rules) expect(colors).toMatch(/^\[\d+,\d+,\d+\]\[\d+,\d+,\d+\]$/);
  });

  test("are filters that Wireshark takes", () => {
    // An expression that is wrong ends tshark with a complaint, for which the helper fails.
    const all = rules.map(({ filter }) => `(${filter})`).join(" || ");
    expect(plugin.tshark(sample("bz107e-ping.pcap"), ["-Y", all])).not.toBe("");
  });

  test.each([
    ["MOUL: refused", "dirtsand-plain.pcap", 14],
    ["MOUL: chat", "dirtsand-plain.pcap", 12],
    ["BZFlag: chat", "bz107e-relay.pcap", 35],
  ])("%s is in %s", (name, capture, count) => {
    const filter = rules.find((rule) => rule.name === name)?.filter ?? "";
    const lines = plugin.tshark(sample(capture), ["-Y", filter]).trim().split("\n");
    expect(lines.length).toBe(count);
  });
});
