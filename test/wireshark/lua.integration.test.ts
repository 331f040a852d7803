import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { Rc4 } from "../../src/dissector/rc4.js";
import { wiresharkPlugin } from "../../src/wireshark/index.js";
import { rawPcapFile } from "../support/captures.js";
import { jsonLines, uncheckedRun } from "../support/command-line.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { projectPath } from "../support/project-path.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";
import { vectorsIn } from "../support/vectors.js";
import type { OwnNode } from "./compare.js";
import { propagated } from "./propagated.js";

/** What is installed of the versions of Lua that releases of Wireshark have had; LuaJIT is like 5.1. */
const VERSIONS = ["lua5.1", "lua5.2", "lua5.3", "lua5.4", "luajit"].filter(
  (lua) => spawnSync(lua, ["-v"]).status === 0,
);

/** The fields below a node, in their order: name, start and end. Elements have no name. */
function fieldsOf(nodes: readonly OwnNode[]): readonly string[] {
  return nodes
    .filter(({ kind }) => kind !== "derived")
    .flatMap(({ name, start, end, children = [] }) => [
      `${name.startsWith("[") ? "" : name}:${start}:${end}`,
      ...fieldsOf(children),
    ]);
}

describe.skipIf(VERSIONS.length === 0)("the plugin without Wireshark (skipped without Lua)", () => {
  const folder = temporaryFolder();
  const file = filesIn(folder);

  test.each(VERSIONS)(
    "decodes the same with %s",
    async (lua) => {
      const messages = vectorsIn("plasma-messages").map(propagated);
      const talk = new MoulTalk("game", { encryption: "none" }).opens();
      for (const message of messages) talk.plain("c2s", message);
      const capture = file("talk.pcap", rawPcapFile(packetsOf(talk)));
      const { stdout: trees } = await uncheckedRun([
        capture,
        "--format",
        "json-tree",
        "-Y",
        "Cli2Game_PropagateBuffer",
      ]);
      const plugin = file("plugin.lua", wiresharkPlugin("test"));
      const script = projectPath("test/wireshark/decoded.lua");
      const { stdout, stderr } = spawnSync(lua, [script, plugin, "Cli2Game_PropagateBuffer"], {
        input: messages.map((message) => Buffer.from(message).toString("hex")).join("\n"),
        encoding: "utf8",
        timeout: 60_000,
      });
      expect(stderr).toBe("");
      const lines = stdout.trimEnd().split(/\r?\n/);
      const skimmed = Number(lines.pop());
      expect(lines).toEqual(jsonLines(trees).map(({ tree }) => fieldsOf(tree).join(" ")));
      expect(skimmed).toBeGreaterThan(messages.length);
    },
    60_000,
  );

  test.each(VERSIONS)("decrypts the same with %s, however the bytes come", (lua) => {
    const key = Uint8Array.from([3, 141, 59, 26, 53, 58, 97]);
    const lengths = [1, 2, 7, 8, 9, 63, 64, 65, 255, 256, 257, 700, 3, 0, 1000];
    const bytes = Uint8Array.from(
      { length: lengths.reduce((sum, length) => sum + length, 0) },
      (_, at) => (at * 7) % 256,
    );
    const plugin = file("cipher.lua", wiresharkPlugin("test"));
    const script = projectPath("test/wireshark/decrypted.lua");
    const hex = (some: Uint8Array) => Buffer.from(some).toString("hex");
    const { stdout, stderr } = spawnSync(lua, [script, plugin, hex(key), hex(bytes), ...lengths.map(String)], {
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(stderr).toBe("");
    const cipher = new Rc4(key);
    cipher.advance(300);
    const plain = bytes.slice();
    cipher.apply(plain);
    expect(stdout.trim()).toBe(hex(plain));
  });
});
