import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rawPcapFile } from "../support/captures.js";
import { uncheckedRun } from "../support/command-line.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { vectorsIn } from "../support/vectors.js";
import { hasTshark, WithPlugin } from "./with-plugin.js";

const FILES = ["net-messages", "plasma-messages", "notify-events", "avatar-tasks-brains", "extra-messages"];

/** The bytes of a message of the game server that carries a plNetMessage. */
function propagated({ hex, classIndex }: { readonly hex: string; readonly classIndex: number | null }): Uint8Array {
  const content = Buffer.from(hex, "hex");
  const header = Buffer.alloc(10);
  header.writeUInt16LE(2, 0);
  header.writeUInt32LE(classIndex ?? 0, 2);
  header.writeUInt32LE(content.length, 6);
  return Buffer.concat([header, content]);
}

describe.skipIf(!hasTshark)("in Wireshark, with the plugin (skipped without tshark)", () => {
  let plugin: WithPlugin;

  beforeAll(() => {
    plugin = new WithPlugin();
  });
  afterAll(() => plugin.close());

  test.each(FILES)(
    "every field of what other implementations wrote is the same as here: %s",
    async (file) => {
      const talk = new MoulTalk("game", { encryption: "none" }).opens();
      const vectors = vectorsIn(file);
      for (const vector of vectors) talk.plain("c2s", propagated(vector));
      const capture = plugin.file(`${file}.pcap`, rawPcapFile(packetsOf(talk)));
      const { stdout } = await uncheckedRun([capture, "-e", "message", "-Y", "Cli2Game_PropagateBuffer"]);
      expect(stdout.trimEnd().split("\n")).toHaveLength(vectors.length);
      await plugin.expectSame(capture, "moul");
    },
    120_000,
  );
});
