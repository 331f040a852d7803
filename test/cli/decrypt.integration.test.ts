import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../support/command-line.js";
import { decryptedSample, samplePayloads } from "../support/decrypted.js";
import { SESSIONS, sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { type Sent, tsharkReport, tsharkVersion } from "../support/tshark.js";

const folder = temporaryFolder();
const DIRTSAND = "dirtsand-session.pcap";

describe.skipIf(tsharkVersion === undefined)("a decrypted capture, for tshark (skipped without tshark)", () => {
  it.each(SESSIONS)("gives no cause for complaint, and has the same bytes: %s", async (name) => {
    const { out } = await decryptedSample(name);
    const { view, complaints } = await tsharkReport(out, 60, 60);
    expect(complaints).toEqual([]);
    const { seen, conversations } = await samplePayloads(name);
    expect([...view.tcp, ...view.udp].map(entries).sort()).toEqual(conversations.map(entries).sort());
    const opened = view.tcp.length;
    // Three packets to open a connection; three to close it, or a reset.
    expect(view.packets).toBeGreaterThan(seen.length + 3 * opened);
    expect(view.packets).toBeLessThanOrEqual(seen.length + 6 * opened);
  });
});

describe.skipIf(tsharkVersion === undefined)("an embedded key log (skipped without tshark)", () => {
  it("is skipped by tshark", async () => {
    const out = join(folder, "embedded.pcapng");
    await run(["keys", sample(DIRTSAND), "--embed", out]);
    expect(await tsharkReport(out, 20, 0)).toEqual(await tsharkReport(sample(DIRTSAND), 20, 0));
  });
});

function entries(sent: Sent): string {
  return JSON.stringify(
    Object.entries(sent)
      .filter(([, hex]) => hex !== "")
      .sort(),
  );
}
