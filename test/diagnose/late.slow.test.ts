import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pcapFile } from "../support/captures.js";
import { jsonLines, run } from "../support/command-line.js";
import { packetsOf } from "../support/sample-packets.js";
import { temporaryFolder } from "../support/temporary-folder.js";

it("advises a key only where one can help: not for a connection without its beginning", async () => {
  const path = join(temporaryFolder(), "late.pcap");
  const packets = (await packetsOf("dirtsand-session.pcap")).slice(300);
  writeFileSync(path, pcapFile(packets, { linkType: packets[0]?.linkType ?? 1 }));
  const findings = jsonLines((await run(["diagnose", path, "--only", "undecrypted", "--json"])).stdout);
  const advised = findings.map(({ protocol, advice }) => [protocol, typeof advice]);
  expect(advised).toEqual([
    ["moul.auth", "string"],
    ["moul.game", "string"],
    ["moul", "undefined"],
  ]);
});
