import { describe, expect, it } from "vitest";
import { jsonLines, run } from "../support/command-line.js";

/** That the names that commands print are those that others take. */

async function documentedNames(): Promise<string[]> {
  const { stdout } = await run(["fields", "--json"]);
  const parts = ["plSpawnPointInfo", "plClientGuid", "plNetMsgMemberInfoHelper", "ServerCapabilities"];
  const bases = ["plNetMsgObject", "plNetMsgStream", "plCCRMessage", "plAvTask", "plArmatureBrain"];
  const names = jsonLines(stdout).map((line) => {
    const { message, class: className }: { message?: unknown; class?: unknown } = Object(line);
    return String(message ?? className);
  });
  return [...new Set(names), ...parts, ...bases].filter((name) => name !== "undefined");
}

describe("decode and schema", () => {
  it("take every message, class and part that fields documents", async () => {
    const names = await documentedNames();
    expect(names.length).toBeGreaterThan(400);
    const refused: string[] = [];
    for (const name of names) {
      const { code } = await run(["decode", name, "00"]);
      if (code !== 0) refused.push(name);
    }
    expect(refused).toEqual([]);
    for (const name of names.slice(-9)) expect((await run(["schema", name])).code).toBe(0);
  });

  it("reads a part on its own, and a class derived from a base after its class index", async () => {
    const part = await run(["decode", "plSpawnPointInfo", "--json", "01000000" + "02000000" + "0100" + "41"]);
    expect(JSON.parse(part.stdout)).toMatchObject({
      message: "plSpawnPointInfo",
      status: "ok",
      fields: { flags: { bits: ["kHasName"] }, name: "A" },
    });
    const derived = await run(["decode", "plArmatureBrain", "--json", "5c03"]);
    expect(JSON.parse(derived.stdout)).toMatchObject({ fields: { class: "plAvBrainHuman" } });
  });

  it("names the bits of bit vectors, and classes by their index", async () => {
    const enable = ["5402", "00", "00000000", "0".repeat(16), "40080000"].join("");
    const bits = "01000000" + "41000000" + "01000000" + "00004010";
    const { stdout } = await run(["decode", "plEnableMsg", "--json", enable + bits]);
    expect(JSON.parse(stdout)).toMatchObject({
      status: "ok",
      fields: {
        commands: { count: 1, bitVector: [0x41], bits: ["kDisable", "kByType"] },
        types: { count: 1, bitVector: [0x10400000], bits: ["plDrawInterface", "plSimulationInterface"] },
      },
    });
    const schema = (await run(["schema", "plAnimCmdMsg"])).stdout;
    expect(schema).toContain('"kAddCallbacks"');
    expect((await run(["schema", "plEnableMsg"])).stdout).toContain('"plAudioInterface"');
  });
});
