import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { PcapngWriter } from "../support/captures.js";
import { jsonLines, run } from "../support/command-line.js";
import { MoulTalk, packetsOf, ping } from "../support/moul-session.js";
import { RAW } from "../support/network.js";
import { concat, text } from "../support/packets.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";

/** Key logs inside the capture itself. */

const folder = temporaryFolder();
const file = filesIn(folder);

const one = ping(new MoulTalk("auth").opens());
const two = ping(new MoulTalk("game").opens());
const write = new PcapngWriter();

function packetsBlocks(talk: MoulTalk, port: number): Uint8Array {
  return concat(...packetsOf(talk, { client: ["192.0.2.1", port] }).map((data) => write.enhanced({ data }, 0n)));
}

const START = concat(write.section(), write.interface({ linkType: RAW }));

/** The status of every message of a capture without any key file beside it. */
async function statuses(...blocks: readonly Uint8Array[]): Promise<{ statuses: readonly string[]; stderr: string }> {
  const path = file("capture.pcapng", concat(START, ...blocks));
  const { stdout, stderr } = await run([path, "--json"]);
  const objects: readonly { stream: number; status: string }[] = jsonLines(stdout);
  return { statuses: objects.map(({ stream, status }) => `${stream} ${status}`), stderr };
}

const READ = (stream: number): string[] => new Array(5).fill(`${stream} ok`);
const UNREAD = (stream: number): string[] => [
  ...new Array(3).fill(`${stream} ok`),
  ...new Array(2).fill(`${stream} encrypted`),
];

describe("a key log in the capture", () => {
  test.each([
    ["a decryption secrets block", (log: string) => write.secrets(text(log))],
    ["a custom block", (log: string) => write.custom(text(log))],
    ["a custom block that must not be copied", (log: string) => write.custom(text(log), 0x40000bad)],
  ])("is used for the connections that follow it: %s", async (_name, block) => {
    const log = block(one.keyLog.rc4 + two.keyLog.rc4);
    const before = await statuses(log, packetsBlocks(one, 1), packetsBlocks(two, 2));
    expect(before).toEqual({ statuses: [...READ(0), ...READ(1)], stderr: "" });
    const between = await statuses(packetsBlocks(one, 1), log, packetsBlocks(two, 2));
    expect(between.statuses).toEqual([...UNREAD(0), ...READ(1)]);
    expect(between.stderr).toMatch(
      /block at offset \d+\): these keys come after packets; connections that began before are not read with them\n/,
    );
    const twoSections = await statuses(block(two.keyLog.rc4), packetsBlocks(two, 2), START, log, packetsBlocks(one, 1));
    expect(twoSections).toEqual({ statuses: [...READ(0), ...READ(1)], stderr: "" });
    const apart = await statuses(
      block(two.keyLog.rc4),
      block(one.keyLog.rc4),
      packetsBlocks(two, 2),
      packetsBlocks(one, 1),
    );
    expect(apart.statuses).toEqual([...READ(0), ...READ(1)]);
  });

  test("is not confused with other content, which is not mentioned", async () => {
    const others = [
      write.secrets(text("CLIENT_RANDOM 00 11\n"), 0x544c534b),
      write.custom(text("?")),
      write.custom(new Uint8Array(0)),
    ];
    const { statuses: found, stderr } = await statuses(...others, packetsBlocks(one, 1));
    expect(found).toEqual(UNREAD(0));
    expect(stderr).toMatch(/^moul-dissect: stream 0 \(moul\.auth\) is encrypted, and no key .*\n$/);
  });

  test("is reported where it is malformed, without its secrets", async () => {
    const { stderr } = await statuses(
      write.secrets(text(`${one.keyLog.rc4}MOUL_RC4 zz 1234\n`)),
      packetsBlocks(one, 1),
    );
    expect(stderr).toMatch(/capture\.pcapng \(decryption secrets block at offset \d+\)/);
    expect(stderr).not.toContain("1234");
  });

  test("works together with a key file, and in a compressed capture", async () => {
    const path = join(folder, "capture.pcapng.gz");
    writeFileSync(
      path,
      gzipSync(concat(START, write.secrets(text(one.keyLog.b)), packetsBlocks(one, 1), packetsBlocks(two, 2))),
    );
    const keys = file("keys.log", two.keyLog.rc4);
    const { stdout, stderr } = await run([path, "--json", "--keys", keys]);
    // The client's private value alone is not enough: the server's public values are needed, too.
    expect(stdout.match(/"status":"ok"/g)?.length).toBe(3 + 5);
    expect(stderr).toContain("stream 0");
  });
});
