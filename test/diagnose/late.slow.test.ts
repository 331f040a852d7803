import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pcapFile } from "../support/captures.js";
import { jsonLines, run } from "../support/command-line.js";
import { keyFiles, MoulTalk, packetsOf as packetsOfTalk, ping } from "../support/moul-session.js";
import { packetsOf } from "../support/sample-packets.js";
import { temporaryFolder } from "../support/temporary-folder.js";

it("advises no key for connections whose first messages are missing on both sides, on which keys are tried", async () => {
  const talk = new MoulTalk("auth").opens();
  const opening = packetsOfTalk(talk, { noFin: true }).length;
  for (let number = 1; number < 9; number++) ping(talk, number);
  const packets = packetsOfTalk(talk, { noFin: true });
  const adviceFor = async (kept: readonly Uint8Array[], ...keys: readonly string[]) => {
    const path = join(temporaryFolder(), "talk.pcap");
    writeFileSync(
      path,
      pcapFile(
        kept.map((data) => ({ data })),
        { linkType: 101 },
      ),
    );
    const { stdout } = await run(["diagnose", path, "--only", "undecrypted", "--json", ...keys]);
    return jsonLines(stdout).map(({ count, advice }) => [count, typeof advice]);
  };
  const wrong = join(temporaryFolder(), "wrong.ini");
  writeFileSync(wrong, keyFiles.dirtsand({ auth: "another server" }), { mode: 0o600 });
  expect(await adviceFor(packets)).toEqual([[2, "string"]]);
  const late = packets.filter((_, index) => index < opening || index > opening + 2);
  expect(await adviceFor(late)).toEqual([[2, "string"]]);
  expect(await adviceFor(late, "--keys", wrong)).toEqual([[2, "undefined"]]);
  // The client's half of the key exchange is missing.
  expect(await adviceFor(packets.filter((_, index) => index !== opening - 2))).toEqual([[2, "undefined"]]);
});

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
