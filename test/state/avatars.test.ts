import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { run } from "../support/command-line.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** "avatarPhysical", as SafeStrings have it. */
const PHYSICAL = Buffer.from("avatarPhysical").map((byte) => byte ^ 0xff);
/** In a plUoid: an object of the name "Male", cloned by Alice (10124), and by Böb (10186). */
const ALICES = Buffer.from("04f0b29e939a010000008c270000", "hex");
const BOBS = Buffer.from("04f0b29e939a01000000ca270000", "hex");

it("avatars of the same name are objects of their own", async () => {
  const capture = readFileSync(sample("dirtsand-plain.pcap"));
  // The last state says that the position is 100.
  BOBS.copy(capture, capture.lastIndexOf(ALICES, capture.lastIndexOf(PHYSICAL)));
  const path = join(temporaryFolder(), "two.pcap");
  writeFileSync(path, capture);
  const { stdout } = await run(["sdl", path, "--object", "Male", "--at", "1000"]);
  const physical = stdout.split("\n").filter((line) => /avatarPhysical|position/.test(line));
  expect(physical.map((line) => line.replace(/ \d? ?[#(].*/, ""))).toEqual([
    "Male of Alice of D'ni avatarPhysical",
    "  position: [3,2,3.5]",
    "Male of Böb avatarPhysical",
    "  position: [100,100,100]",
  ]);
});
