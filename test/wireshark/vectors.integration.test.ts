import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rawPcapFile } from "../support/captures.js";
import { uncheckedRun } from "../support/command-line.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { projectPath } from "../support/project-path.js";
import { vectorsIn } from "../support/vectors.js";
import { propagated } from "./propagated.js";
import { hasTshark, WithPlugin } from "./with-plugin.js";

const FILES = ["net-messages", "plasma-messages", "notify-events", "avatar-tasks-brains", "extra-messages"];

/** A plNetMsgSDLState up to the length of its record, and what comes after that. */
const BEFORE =
  "cd020110060000f1536540e201009210000001060002ff040001000c00000004f0b29e939a0300000092100000" + "0000000000";
const AFTER = "000100";

/** The bytes of an SDL state with this record. */
function stateWith(hex: string): string {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(hex.length / 2);
  return `${BEFORE}${length.toString("hex")}${hex}${AFTER}`;
}

/** Expects that Wireshark shows these, as messages of one connection, as they are here; returns how well they are dissected. */
async function expectSame(
  plugin: WithPlugin,
  name: string,
  messages: readonly Uint8Array[],
  own: readonly string[] = [],
): Promise<readonly string[]> {
  const talk = new MoulTalk("game", { encryption: "none" }).opens();
  for (const message of messages) talk.plain("c2s", message);
  const capture = plugin.file(`${name}.pcap`, rawPcapFile(packetsOf(talk)));
  const { stdout } = await uncheckedRun([capture, "-e", "status", "-Y", "Cli2Game_PropagateBuffer", ...own]);
  const statuses = stdout.trimEnd().split("\n");
  expect(statuses).toHaveLength(messages.length);
  await plugin.expectSame(capture, "moul", { own });
  return statuses;
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
      await expectSame(plugin, file, vectorsIn(file).map(propagated));
    },
    120_000,
  );

  test("with moul.only, an empty field at the end of a message is no error", () => {
    const talk = new MoulTalk("auth", { encryption: "none" }).opens();
    // Auth2Cli_VaultNodeFindReply, in which nothing was found.
    talk.plain("s2c", Buffer.from("1f00500000000000000000000000", "hex"));
    const capture = plugin.file("empty.pcap", rawPcapFile(packetsOf(talk)));
    const shown = plugin.tshark(capture, ["-o", "moul.only:foundNodeIdCount,undissected", "-V"]);
    expect(shown).toContain("foundNodeIdCount: 0");
    expect(shown).not.toContain("the plugin failed");
  });

  test("every field of the SDL records that they wrote is the same as here", async () => {
    const sdl = ["--sdl", projectPath("test/vectors/descriptors.sdl")];
    const made = new WithPlugin((await uncheckedRun(["wireshark", ...sdl])).stdout);
    try {
      const states = vectorsIn("sdl-blobs").map(({ hex }) => propagated({ hex: stateWith(hex), classIndex: 717 }));
      const statuses = await expectSame(made, "sdl-blobs", states, sdl);
      expect(statuses.filter((status) => status === "ok").length).toBeGreaterThan(20);
    } finally {
      made.close();
    }
  }, 120_000);
});
