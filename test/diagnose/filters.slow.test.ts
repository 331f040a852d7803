import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { kindsInOrder } from "../../src/diagnose/index.js";
import { writeInputs } from "../golden/inputs.js";
import { projectPath } from "../support/project-path.js";
import { SESSIONS, sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { diagnosed, expectShown } from "./support/diagnosed.js";

const made = temporaryFolder();
writeInputs(made);
for (const [name, each] of [
  ["lost", 17],
  ["often-lost", 5],
] as const) {
  writeFileSync(join(made, `${name}.pcap`), withoutSome(readFileSync(sample("dirtsand-plain.pcap")), each));
}

/** A capture (in the form of tcpdump on this kind of machine) without one packet in so many. */
function withoutSome(capture: Buffer, each: number): Uint8Array {
  const records: Buffer[] = [];
  for (let at = 24; at < capture.length; ) {
    const end = at + 16 + capture.readUInt32LE(at + 8);
    records.push(capture.subarray(at, end));
    at = end;
  }
  return Buffer.concat([capture.subarray(0, 24), ...records.filter((_, index) => index % each !== each - 1)]);
}
const fixtures = ["captures/moss-games.pcap", "captures/moss-none.pcap", "captures/nagus-return.pcap"];
const cases = ["cases/t9_clockback.pcap", "cases/x1_syn_mid.pcap", "cases/x1_syn_mid_enc.pcap"];
const captures = [
  ...SESSIONS.map(sample),
  ...[...fixtures, ...cases].map((name) => projectPath(`test/fixtures/${name}`)),
  ...readdirSync(made)
    .filter((name) => name.endsWith(".pcap"))
    .map((name) => join(made, name)),
];

describe("the filter of each finding shows as many messages as are counted", () => {
  it.each(captures)("%s", async (path) => {
    // Loopback is fast: so some replies are slow.
    const { findings, messages } = await diagnosed(path, 1);
    await expectShown(findings, messages);
  });

  it("and the samples have findings of most kinds", async () => {
    const kinds = new Set<string>();
    for (const path of captures) for (const { kind } of (await diagnosed(path)).findings) kinds.add(kind);
    expect([...kinds].sort()).toEqual(kindsInOrder.filter((kind) => kind !== "version").sort());
  });
});
