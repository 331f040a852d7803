import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { uncheckedRun } from "../support/command-line.js";
import { sample } from "../support/samples.js";
import { exceptions } from "./compare.js";
import { hasTshark, WithPlugin } from "./with-plugin.js";

describe.skipIf(!hasTshark)("in Wireshark, with the plugin (skipped without tshark)", () => {
  let plugin: WithPlugin;

  beforeAll(() => {
    plugin = new WithPlugin();
  });
  afterAll(() => plugin.close());

  /** The key log of a sample, which opens it without the keys of the shard. */
  async function keyLog(name: string, keys: string): Promise<string> {
    return plugin.file(`${name}.keylog`, (await uncheckedRun(["keys", sample(name), "--keys", keys])).stdout);
  }

  test.each([
    ["dirtsand-session.pcap", "dirtsand-session.keys"],
    ["nagus-session.pcap", "nagus-session.keys"],
  ])("every field of %s is the same as here", async (name, keys) => {
    const log = await keyLog(name, sample(keys));
    await plugin.expectSame(sample(name), "moul", { tshark: ["-o", `moul.keylog:${log}`] });
  });

  test.each(["dirtsand-plain.pcap", "nagus-plain.pcap"])("every field of %s is the same as here", (name) =>
    plugin.expectSame(sample(name), "moul"),
  );

  const classic = "c-relay d-relay e-ctf e-listserver e-ping e-reject e-relay e-udp".split(" ");

  test.each([...classic.map((session) => `bz107${session}.pcap`), "bz0221-glclient.pcap"])(
    "every field and summary of %s is the same as here",
    (name) => plugin.expectSame(sample(name), "bzflag"),
  );

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
