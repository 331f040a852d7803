import { expect } from "vitest";
import { Diagnosis, type Finding } from "../../../src/diagnose/index.js";
import { displayFilter, dissectors } from "../../../src/index.js";
import { defaultLimits } from "../../../src/limits.js";
import { OpenRequests } from "../../../src/output/text/open-requests.js";
import { DissectedMessage } from "../../../src/pipeline/dissected-message.js";
import { runCaptures } from "../../../src/pipeline/run.js";
import { captureAt } from "../../../src/platform/node/capture-file.js";
import { givenFiles } from "../../../src/platform/node/file-on-disk.js";
import { discoverKeys } from "../../../src/platform/node/key-discovery.js";

/** Everything that a diagnosis finds, and the messages it was found in. */
export async function diagnosed(path: string, noticed = 100) {
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

/** Expects that the filter of each finding shows as many messages as it says, and all of its examples that it can. */
export async function expectShown(findings: readonly Finding[], messages: readonly DissectedMessage[]): Promise<void> {
  for (const finding of findings) {
    const passes = await displayFilter(finding.filter, dissectors);
    const numbers = messages.filter(passes).map(({ number }) => number);
    expect({ ...finding, shown: numbers.length }).toEqual(finding);
    expect(finding.shown).toBe(Math.min(finding.count, Math.max(40, finding.shown)));
    if (finding.shown < finding.count) continue;
    for (const { number } of finding.examples) expect(numbers).toContain(number);
  }
}
