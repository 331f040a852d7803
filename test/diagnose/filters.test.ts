import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Diagnosis, type Finding, kindsInOrder } from "../../src/diagnose/index.js";
import { displayFilter, dissectors } from "../../src/index.js";
import { defaultLimits } from "../../src/limits.js";
import { OpenRequests } from "../../src/output/text/open-requests.js";
import { DissectedMessage } from "../../src/pipeline/dissected-message.js";
import { runCaptures } from "../../src/pipeline/run.js";
import { captureAt } from "../../src/platform/node/capture-file.js";
import { givenFiles } from "../../src/platform/node/file-on-disk.js";
import { discoverKeys } from "../../src/platform/node/key-discovery.js";
import { writeInputs } from "../golden/inputs.js";
import { projectPath } from "../support/project-path.js";
import { SAMPLES, sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Everything that a diagnosis finds, and the messages it was found in. */
async function diagnosed(path: string, noticed = 100) {
  const requests = new OpenRequests();
  const diagnosis = new Diagnosis({ limits: defaultLimits, requests, noticed });
  const messages: DissectedMessage[] = [];
  const keys = givenFiles(await discoverKeys([path], {}));
  await runCaptures([captureAt(path)], { keys, network: diagnosis }, (message) => {
    diagnosis.take(message, true);
    messages.push(new DissectedMessage(message));
  });
  return { findings: diagnosis.findings, messages };
}

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
  ...SAMPLES.map(sample),
  ...[...fixtures, ...cases].map((name) => projectPath(`test/fixtures/${name}`)),
  ...readdirSync(made)
    .filter((name) => name.endsWith(".pcap"))
    .map((name) => join(made, name)),
];

describe("the filter of each finding shows as many messages as are counted", () => {
  it.each(captures)("%s", async (path) => {
    // Loopback is fast: so some replies are slow.
    const { findings, messages } = await diagnosed(path, 1);
    const shown = async ({ filter }: Finding) => {
      const passes = await displayFilter(filter, dissectors);
      return messages.filter(passes).map(({ number }) => number);
    };
    for (const finding of findings) {
      const numbers = await shown(finding);
      expect({ ...finding, shown: numbers.length }).toEqual(finding);
      expect(finding.shown).toBe(Math.min(finding.count, Math.max(40, finding.shown)));
      for (const { number } of finding.examples) expect(numbers).toContain(number);
    }
  });

  it("and the samples have findings of most kinds", async () => {
    const kinds = new Set<string>();
    for (const path of captures) for (const { kind } of (await diagnosed(path)).findings) kinds.add(kind);
    expect([...kinds].sort()).toEqual(kindsInOrder.filter((kind) => kind !== "version").sort());
  });
});
