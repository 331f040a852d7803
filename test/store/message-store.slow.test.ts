import { describe, expect, it } from "vitest";
import { dissectors } from "../../src/index.js";
import { defaultLimits } from "../../src/limits.js";
import { jsonLine, jsonTreeLine } from "../../src/output/json/json.js";
import { runCaptures } from "../../src/pipeline/run.js";
import { captureAt } from "../../src/platform/node/capture-file.js";
import { givenFiles } from "../../src/platform/node/file-on-disk.js";
import { discoverKeys } from "../../src/platform/node/key-discovery.js";
import { MessageStore } from "../../src/store/message-store.js";
import { expectSame } from "../support/same.js";
import { DISTINCT_SESSIONS, sample } from "../support/samples.js";

describe("a store", () => {
  it.each(DISTINCT_SESSIONS)("has every message of %s as it was when it came", async (capture) => {
    const store = new MessageStore(dissectors, defaultLimits);
    const lines: string[] = [];
    await runCaptures(
      [captureAt(sample(capture))],
      {
        keys: givenFiles(await discoverKeys([sample(capture)], {})),
        skims: true,
        onName: (dissector, change) => store.changed(dissector, change),
        network: { opened: () => ({ recognised: (session) => store.recognised(session) }) },
      },
      (message) => {
        store.add(message);
        lines.push(jsonLine(message) + jsonTreeLine(message));
      },
    );
    expect(store.count).toBe(lines.length);
    const indices = lines.map((_, index) => index);
    // From the last to the first: none depends on the one before.
    for (const index of indices.reverse()) {
      const message = store.at(index);
      expectSame(jsonLine(message) + jsonTreeLine(message), lines[index]);
      const { number, origin, direction, protocol, name, status, length } = message;
      expect(store.head(index)).toMatchObject({ number, origin, direction, protocol, name, status, length });
    }
  });

  it("refuses to give a message that there is not", () => {
    expect(() => new MessageStore(dissectors, defaultLimits).at(0)).toThrow("there is no message 1");
  });
});
