import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Random } from "../support/random.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { diagnosed, expectShown } from "./support/diagnosed.js";

const folder = temporaryFolder();

/** A capture in which some bytes of the payloads are others. */
function damaged(name: string, random: Random): string {
  const bytes = readFileSync(sample(name));
  for (let at = 24; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at + 8);
    // Ethernet, IP and TCP headers are left alone.
    if (length > 80 && random.chance(1)) bytes[at + 16 + 66 + random.below(length - 66)] = random.below(256);
    at += 16 + length;
  }
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

it("filters say what they show, whatever a damaged capture contains", async () => {
  const random = new Random(50);
  const kinds = new Set<string>();
  for (let round = 0; round < 12; round++) {
    const name = random.pick(["dirtsand-plain.pcap", "nagus-plain.pcap", "bz107e-relay.pcap", "bz0221-glclient.pcap"]);
    const { findings, messages } = await diagnosed(damaged(name, random), 1);
    await expectShown(findings, messages);
    for (const { kind } of findings) kinds.add(kind);
  }
  for (const kind of ["malformed", "skipped", "unanswered", "failed"]) expect(kinds).toContain(kind);
});

/** A capture that lacks some of the packets with payload. */
function lossy(name: string, random: Random): string {
  const bytes = readFileSync(sample(name));
  const kept = [bytes.subarray(0, 24)];
  for (let at = 24; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at + 8);
    if (length <= 66 || random.below(10) > 0) kept.push(bytes.subarray(at, at + 16 + length));
    at += 16 + length;
  }
  const path = join(folder, `lossy-${name}`);
  writeFileSync(path, Buffer.concat(kept));
  return path;
}

it("what cannot be decrypted for one reason is one finding, however much is missing in each connection", async () => {
  const random = new Random(51);
  for (const name of ["dirtsand-session.pcap", "nagus-session.pcap"]) {
    const { findings, messages } = await diagnosed(lossy(name, random), 1);
    await expectShown(findings, messages);
    const undecrypted = findings.filter(({ kind }) => kind === "undecrypted");
    const reasons = undecrypted.map(({ protocol, what }) => `${protocol} ${what.replace(/; \d+ more bytes? .*/, "")}`);
    expect(new Set(reasons).size).toBe(reasons.length);
    const missing = (text: string) => Number(/; (\d+) more byte/.exec(text)?.[1] ?? 0);
    const sum = (texts: readonly string[]) => texts.reduce((total, text) => total + missing(text), 0);
    const said = messages.filter(({ status }) => status === "encrypted").map(({ notes }) => notes[0]?.text ?? "");
    expect(sum(said)).toBeGreaterThan(0);
    expect(sum(undecrypted.map(({ what }) => what))).toBe(sum(said));
  }
});
