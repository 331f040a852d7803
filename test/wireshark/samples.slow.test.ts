import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wiresharkPlugin } from "../../src/wireshark/index.js";
import { jsonLines, uncheckedRun } from "../support/command-line.js";
import { sample } from "../support/samples.js";
import { differenceOf, exceptions, hasRecord } from "./compare.js";
import { messagesIn } from "./pdml.js";

const hasTshark = spawnSync("tshark", ["--version"]).status === 0;

describe.skipIf(!hasTshark)("in Wireshark, with the plugin (skipped without tshark)", () => {
  const folder = mkdtempSync(join(tmpdir(), "moul-dissect-wireshark-"));
  const plugin = join(folder, "moul-dissect.lua");

  beforeAll(() => writeFileSync(plugin, wiresharkPlugin("test")));
  afterAll(() => rmSync(folder, { recursive: true }));

  function tshark(capture: string, args: readonly string[]): string {
    const given = ["-X", `lua_script:${plugin}`, "-r", capture, ...args];
    const { stdout, stderr } = spawnSync("tshark", given, { encoding: "utf8", maxBuffer: 2 ** 30 });
    expect(stderr.split("\n").filter((line) => line !== "" && !line.startsWith("Running as user"))).toEqual([]);
    return stdout;
  }

  /** The key log of a sample, which opens it without the keys of the shard. */
  async function keyLog(name: string, keys: string): Promise<string> {
    const path = join(folder, `${name}.keylog`);
    writeFileSync(path, (await uncheckedRun(["keys", sample(name), "--keys", keys])).stdout);
    return path;
  }

  const encrypted = [
    ["dirtsand-session.pcap", "dirtsand-session.keys"],
    ["nagus-session.pcap", "nagus-session.keys"],
  ] as const;

  const plain = [["dirtsand-plain.pcap"], ["nagus-plain.pcap"]] as const;

  test.each([...encrypted, ...plain])("every field of %s is the same as here", async (name, keys?: string) => {
    const options = keys === undefined ? [] : ["-o", `moul.keylog:${await keyLog(name, sample(keys))}`];
    const shown = messagesIn(tshark(sample(name), [...options, "-2", "-Y", "moul", "-T", "pdml"]), "moul");
    const own = jsonLines((await uncheckedRun([sample(name), "--format", "json-tree"])).stdout);
    expect(shown.map((one) => factOf(one, "message"))).toEqual(own.map(({ message }) => message));
    const statuses = own.map(({ status, tree }) => (hasRecord(tree) && status === "ok" ? "unknown" : status));
    expect(shown.map((one) => factOf(one, "status"))).toEqual(statuses);
    expect(shown.map((one) => Number(factOf(one, "number")))).toEqual(own.map(({ number }) => number));
    const differences = own.flatMap(({ number, message, tree }, index) => {
      const one = shown[index];
      const difference = one && differenceOf(one, tree, "moul");
      return difference === undefined ? [] : [`#${number} ${message}: ${difference}`];
    });
    expect(differences.slice(0, 5)).toEqual([]);
  });

  test("little is different for a reason", () => {
    expect(exceptions).toEqual({
      undissected: expect.any(Number),
      afterLength: expect.any(Number),
      otherTrue: expect.any(Number),
      records: expect.any(Number),
    });
    expect(exceptions.undissected).toBeGreaterThan(0);
    expect(exceptions.records).toBeGreaterThan(0);
  });
});

function factOf({ fields }: ReturnType<typeof messagesIn>[number], name: string): string {
  return fields.find((field) => field.name === `moul.${name}`)?.show ?? "";
}
