import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { coloringRules } from "../../src/wireshark/index.js";
import { rawPcapFile } from "../support/captures.js";
import { MoulTalk } from "../support/moul-session.js";
import { concat, TcpTalk } from "../support/packets.js";
import { projectPath } from "../support/project-path.js";
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

  test.each([true, false])("what was refused is marked beside what was not, in one packet: first %s", (isFirst) => {
    const talk = new MoulTalk("auth", { encryption: "none" }).opens();
    const replies = [0, 3].map((result) => talk.message("Auth2Cli_AcctActivateReply", { transactionId: 1, result }));
    const tcp = new TcpTalk(["192.0.2.1", 40_000], ["192.0.2.2", 14_617], [1000, 2000]);
    const opening = tcp.handshake();
    const packets = talk.sent.map(({ direction, bytes }) => tcp.send(direction === "c2s" ? 0 : 1, bytes));
    const both = tcp.send(1, concat(...(isFirst ? replies.toReversed() : replies)));
    const path = plugin.file("replies.pcap", rawPcapFile([...opening, ...packets, both]));
    const shown = (filter: string) => plugin.tshark(path, ["-Y", filter]).trim().split("\n").filter(Boolean).length;
    expect(shown(rules.find(({ name }) => name === "MOUL: refused")?.filter ?? "")).toBe(1);
    const page = readFileSync(projectPath("docs/wireshark.md"), "utf8");
    const [, documented = ""] = /`result != kNetSuccess` \| `(.*?)`/.exec(page) ?? [];
    expect(shown(documented)).toBe(1);
  });
});
