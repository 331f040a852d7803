import { describe, expect, test } from "vitest";
import { pcapFile, rawPcapFile } from "../support/captures.js";
import { jsonLines, run } from "../support/command-line.js";
import { MoulTalk, packetsOf, ping } from "../support/moul-session.js";
import { RAW } from "../support/network.js";
import { TcpTalk, text } from "../support/packets.js";
import { sample } from "../support/samples.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";

const file = filesIn(temporaryFolder());

const packets = packetsOf(ping(new MoulTalk("auth", { encryption: "none" }).opens()));

/**
 * A capture in which the checksums at an offset of some packets are wrong, and other packets came twice with different
 * bytes.
 */
function capture(wrong: readonly number[], changed: readonly number[] = []): string {
  const records = packets.flatMap((packet, index) => {
    const data = packet.slice();
    if (wrong.includes(index)) data.set([0x12, 0x34], 36);
    const other = packet.slice();
    other[45] = (other[45] ?? 0) ^ 1;
    return changed.includes(index) ? [{ data }, { data: other }] : [{ data }];
  });
  return file("capture.pcap", pcapFile(records, { linkType: RAW }));
}

const DATA = packets.flatMap((packet, index) => (packet.length > 40 ? [index] : []));
const FIRST = DATA[0] ?? 0;

describe("--checksums", () => {
  test("notes a wrong one at the packet's message, and says so at the end", async () => {
    const { code, stdout, stderr } = await run([capture([FIRST]), "--checksums", "--json"]);
    const [first, ...rest] = jsonLines(stdout);
    const right = packets[FIRST]?.subarray(36, 38) ?? new Uint8Array(0);
    const numbers = `the TCP checksum 0x1234 instead of 0x${Buffer.from(right).toString("hex")}`;
    const frame = FIRST + 1;
    expect(first?.notes).toEqual([
      { severity: "warning", path: "", text: `frame ${frame} has ${numbers}: it may be damaged` },
    ]);
    expect(rest.flatMap(({ notes }) => notes)).toEqual([]);
    expect([code, stderr]).toEqual([0, `moul-dissect: frame ${frame} has ${numbers}\n`]);
  });

  test("says nothing if all are right, or without the option", async () => {
    expect((await run([capture([]), "--checksums"])).stderr).toBe("");
    expect((await run([capture(DATA)])).stderr).toBe("");
  });

  test("names only the first of many", async () => {
    const data = packets[FIRST]?.slice() ?? new Uint8Array(0);
    data.set([0x12, 0x34], 36);
    const path = file("many.pcap", pcapFile(new Array(15).fill({ data }), { linkType: RAW }));
    const lines = (await run([path, "--checksums"])).stderr.trimEnd().split("\n");
    expect(lines.length).toBe(11);
    expect(lines.at(-1)).toBe("moul-dissect: 5 more packets have a wrong checksum");
  });

  test("tolerates those left to the network card", async () => {
    const { stdout, stderr } = await run([sample("nagus-plain.pcap"), "--checksums", "--json"]);
    expect(stdout).not.toContain("checksum 0x");
    expect(stderr).toMatch(
      /^moul-dissect: \d+ packets were recorded on the sending machine, with the TCP checksum left to the network card\n$/,
    );
  });
});

test("retransmitted bytes that differ are reported at the end", async () => {
  const clean = await run([capture([]), "--format", "summary"]);
  const { code, stdout, stderr } = await run([capture([], [FIRST]), "--format", "summary"]);
  expect([code, stdout]).toEqual([0, clean.stdout]);
  expect(stderr).toBe(
    "moul-dissect: stream 0: 1 retransmitted byte differs from the first copy; the first copy is used\n",
  );
});

test("differing retransmissions are reported for ten conversations, and for the rest as a sum", async () => {
  const packets = Array.from({ length: 12 }, (_, index) => {
    const tcp = new TcpTalk(["192.0.2.1", 1000 + index], ["192.0.2.2", 5000], [1000, 9000]);
    // Made first, so that it has the number of the data that it repeats.
    const again = tcp.raw(0, { payload: text("abXX") });
    return [tcp.send(0, "abcd"), again];
  });
  const path = file("again.pcap", rawPcapFile(packets.flat()));
  const { stderr } = await run([path]);
  const lines = stderr.split("\n").filter((line) => line.includes("retransmitted"));
  expect(lines).toHaveLength(11);
  expect(lines[9]).toBe(
    "moul-dissect: stream 9: 2 retransmitted bytes differ from the first copy; the first copy is used",
  );
  expect(lines[10]).toBe(
    "moul-dissect: more streams: 4 retransmitted bytes differ from the first copy; the first copy is used",
  );
});
