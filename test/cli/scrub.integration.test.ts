import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../support/command-line.js";
import { SESSIONS, sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { tsharkComplaints, tsharkVersion } from "../support/tshark.js";

const folder = temporaryFolder();

describe.skipIf(tsharkVersion === undefined)("a scrubbed capture (skipped without tshark)", () => {
  it.each(SESSIONS)("is opened by tshark without complaint: %s", async (name) => {
    const path = join(folder, `${name}.scrubbed.pcapng`);
    expect((await run(["scrub", sample(name), "-o", path])).code).toBe(0);
    expect(await tsharkComplaints(path)).toEqual([]);
  });
});
