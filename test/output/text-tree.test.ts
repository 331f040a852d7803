import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { rawPcapFile } from "../support/captures.js";
import { run } from "../support/command-line.js";
import { MoulTalk, packetsOf } from "../support/moul-session.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();

it.each([
  [51, "(51 bytes, frame 4)"],
  [13, "(51 bytes, frames 4, 5, 6, 7)"],
  [11, "(51 bytes, 5 frames from 4 to 8)"],
])("names the frames of a message, or the first and the last of many: %i bytes in each", async (mtu, frames) => {
  const path = join(folder, `${mtu}.pcap`);
  writeFileSync(path, rawPcapFile(packetsOf(new MoulTalk("auth", { encryption: "none" }).opens(), { mtu })));
  const { stdout } = await run([path, "--format", "tree", "-c", "1"]);
  expect(stdout.split("\n")[0]).toContain(frames);
});

it("shows -0 as JSON does", async () => {
  const args = [sample("bz107e-ctf.pcap"), "-Y", "World", "-c", "1", "--hex"];
  expect((await run(args)).stdout).toMatch(/ 80000000 +y: -0\n/);
});

it("does not count what could not be dissected among the elements of an array", async () => {
  const message = "1e00 01000000 00000000 05000000 aabbcc";
  const { stdout } = await run(["decode", "Auth2Cli_VaultNodeRefsFetched", message]);
  expect(stdout).toContain("refs: 0 elements\n");
  expect(stdout).toContain("undissected: aabbcc\n");
});
