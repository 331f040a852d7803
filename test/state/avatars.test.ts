import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { jsonLines, run } from "../support/command-line.js";
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
  expect(physical.map((line) => line.replace(/ \d? ?(?:#|\(last).*/, ""))).toEqual([
    "Male of Alice of D'ni in The Test Hood (18) avatarPhysical",
    "  position: [3,2,3.5]",
    "Male of Böb in The Test Hood (18) avatarPhysical",
    "  position: [100,100,100]",
  ]);
});

it("objects of the same age are objects of their own in each instance of it", async () => {
  const capture = readFileSync(sample("dirtsand-plain.pcap"));
  // Böb's request to join number 18, The Test Hood, asks for number 19.
  const request = Buffer.from("01007c00000012000000", "hex");
  capture[capture.indexOf(request) + 6] = 19;
  const path = join(temporaryFolder(), "instances.pcap");
  writeFileSync(path, capture);
  const { stdout } = await run(["sdl", path, "--object", "AgeSDLHook", "--at", "1000"]);
  expect(stdout.split("\n").map((line) => line.replace(/\(last.*/, ""))).toEqual([
    "AgeSDLHook in The Test Hood (18) Neighborhood 35 ",
    "AgeSDLHook in 19 Neighborhood 35 ",
    "",
  ]);
  const lines = (await run(["sdl", path, "--object", "AgeSDLHook", "--json"])).stdout;
  const place = (id: string, name: string | null) => ({ kind: "gameServerInstance", id, name });
  expect(jsonLines(lines).map((line) => line.place)).toEqual(
    expect.arrayContaining([place("18", "The Test Hood"), place("19", null)]),
  );
});
