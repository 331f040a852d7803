import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run } from "../support/command-line.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const capture = join(folder, "session.pcap");
copyFileSync(sample("dirtsand-session.pcap"), capture);

const out = join(folder, "out.pcapng");

it.each([
  ["chat"],
  ["players"],
  ["vault"],
  ["sdl"],
  ["objects", "--list"],
  ["find", "Shorah"],
  ["find", "Shorah", "-Y", "message == 'Cli2Game_PropagateBuffer'"],
  ["scrub", "-o", out, "--force"],
  ["split", "-o", join(folder, "parts"), "--force", "-Y", "player.name"],
])("%s says what it could not decrypt, which may hold what it did not find", async (name, ...more) => {
  const { stderr } = await run([name, ...more, capture]);
  expect(stderr).toMatch(/^moul-dissect: streams 5, 6 \(moul\.game\) are encrypted, and no key .* was given/m);
  expect((await run([name, ...more, capture, "-q"])).stderr).toBe("");
  expect((await run([name, ...more, sample("dirtsand-session.pcap")])).stderr).not.toContain("encrypted");
});
