import { expect, test } from "vitest";
import { readMoulKeys } from "../../dissectors/moul/keys/moul-keys.js";
import { embedKeys } from "../../src/export/embedded-keys.js";
import { defaultLimits } from "../../src/limits.js";
import { chunks, PcapngWriter, pcapFile } from "../support/captures.js";
import { concat, text } from "../support/packets.js";
import { fleeting, readLog } from "../support/recording.js";

async function withKeys(file: Uint8Array, keyLog: readonly string[], ...lengths: readonly number[]) {
  const parts: Uint8Array[] = [];
  const write = (bytes: Uint8Array) => void parts.push(bytes.slice());
  await embedKeys(
    { name: "", open: () => fleeting(chunks(file, ...lengths)) },
    { keyLog, application: "test", limits: defaultLimits },
    write,
    async () => {},
  );
  return concat(...parts);
}

const write = new PcapngWriter();
const PCAPNG = concat(write.section(), write.interface(), write.enhanced({ data: text("one") }, 5n));
const PCAP = pcapFile([{ data: text("one"), time: 5000n }]);

test.each([
  ["pcapng", PCAPNG],
  ["pcap", PCAP],
])("a key log of any length is embedded completely, in blocks that can be read back: %s", async (_what, file) => {
  const lines = Array.from(
    { length: 9000 },
    (_, at) => `MOUL_RC4 ${at.toString(16).padStart(128, "0")} 00112233445566`,
  );
  const { log } = await readLog([await withKeys(file, lines, 10_000)]);
  expect(log.problems).toEqual([]);
  expect(log.packets).toMatchObject([{ frame: 1, time: "0.000005000", data: "6f6e65" }]);
  expect(log.secretsSeen.map(([, , secrets]) => secrets).join("")).toBe(`${lines.join("\n")}\n`);
  expect(log.secretsSeen.length).toBeGreaterThan(1);
  for (const [, , secrets] of log.secretsSeen) {
    expect(readMoulKeys("block", text(secrets))).toMatchObject({ recognised: true, remarks: [] });
  }
});

test.each([
  ["pcapng", PCAPNG],
  ["pcap", PCAP],
])("it makes no difference how a file arrives: %s", async (_what, file) => {
  const whole = await withKeys(file, ["# nothing"], 10_000);
  for (const length of [1, 5, 23, 24, 25, 60]) {
    expect(await withKeys(file, ["# nothing"], length)).toEqual(whole);
  }
});

test("a file that is not a capture, or only the beginning of one, is not a reason to fail", async () => {
  expect(await withKeys(new Uint8Array(0), ["# log"], 1)).toEqual(new Uint8Array(0));
  expect(await withKeys(PCAPNG.subarray(0, 20), ["# log"], 7)).toEqual(new Uint8Array(0));
  expect(await withKeys(PCAPNG.subarray(0, 27), ["# log"], 7)).toEqual(PCAPNG.subarray(0, 27));
});
