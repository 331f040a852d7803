import { describe, expect, it } from "vitest";
import { type CapturedPacket, pcapFile } from "../support/captures.js";
import { jsonLines, run } from "../support/command-line.js";
import { MoulTalk, packetsOf, ping } from "../support/moul-session.js";
import { RAW } from "../support/network.js";
import { filesIn, temporaryFolder } from "../support/temporary-folder.js";

const file = filesIn(temporaryFolder());

const BEGIN = 1_795_150_492_000_000_000n;
const SECOND = 1_000_000_000n;
const HOUR = 3600n * SECOND;

/** A connection recorded at a packet per second; from packet `at` on, the clock is `back` nanoseconds behind. */
function connection(at: number, back: bigint, port = 50_000): CapturedPacket[] {
  const talk = ping(ping(new MoulTalk("game", { encryption: "none" }).opens()));
  return packetsOf(talk, { client: ["192.0.2.1", port] }).map((data, index) => ({
    data,
    time: BEGIN + BigInt(index) * SECOND - (index < at ? 0n : back),
  }));
}

const write = (packets: readonly CapturedPacket[]) => file("clock.pcap", pcapFile(packets, { linkType: RAW }));

/** The column "seconds" of each conversation. */
function secondsOf(table: string): string[] {
  const [titles = "", ...rows] = table.trimEnd().split("\n");
  const end = titles.indexOf("seconds") + "seconds".length;
  return rows.map((row) => /(?<=Z )[ \d.-]*$/.exec(row.slice(0, end))?.[0].trim() ?? "");
}

describe("a clock that was set back", () => {
  it.each([
    ["further than the conversation had lasted", HOUR, "3599.000"],
    ["only a little", 3n * SECOND, "2.000"],
  ])("%s leaves no duration, and is reported", async (_, back, step) => {
    const { code, stdout, stderr } = await run(["streams", write(connection(6, back))]);
    expect(code).toBe(0);
    expect(secondsOf(stdout)).toEqual([""]);
    expect(stderr).toBe(
      `moul-dissect: the clock was set back by ${step} seconds at frame 7: how long stream 0 took is not known\n`,
    );
  });

  it("leaves the durations of conversations before it and after it", async () => {
    const later = connection(0, HOUR, 50_001).map(({ data, time = 0n }) => ({ data, time: time + 20n * SECOND }));
    const { stdout, stderr } = await run(["streams", write([...connection(99, 0n), ...later])]);
    const last = connection(0, 0n).length - 1;
    expect(secondsOf(stdout)).toEqual([`${last}.000000`, `${last}.000000`]);
    expect(stderr).toBe("");
  });

  it("leaves no rates in statistics, and no negative time of a reply", async () => {
    const path = write(connection(6, HOUR));
    const { stdout, stderr } = await run(["stats", path, "--json"]);
    const [report] = jsonLines(stdout);
    expect(report).toMatchObject({ seconds: null, messages: { perSecond: null } });
    for (const { min } of report.pings) expect(min).toBeGreaterThanOrEqual(0);
    expect(stderr).toMatch(
      /^moul-dissect: the clock was set back by 3599\.000 seconds at frame 7: how long .* left out\n$/,
    );
    expect((await run(["stats", path])).stdout).not.toMatch(/ seconds|messages per second/);
  });

  it("is not packets that a recorder mixes up, which only a short conversation shows", async () => {
    const packets = connection(99, 0n);
    const mixed = packets.map(({ data }, index) => ({ data, time: BEGIN - BigInt(index) * 1000n }));
    const { stdout, stderr } = await run(["streams", write(mixed)]);
    expect(secondsOf(stdout)).toEqual([""]);
    expect(stderr).toContain(
      "how long stream 0 took is not known: the last packet has an earlier time than the first\n",
    );
    const stats = await run(["stats", write(mixed)]);
    expect(stats.stdout).toContain(" seconds");
    expect(stats.stderr).toBe("");
  });

  it("is not another capture, which may overlap with the one before", async () => {
    const other = connection(99, 0n, 50_001).map(({ data, time = 0n }) => ({ data, time: time + 3n * SECOND }));
    const paths = [write(connection(99, 0n)), file("other.pcap", pcapFile(other, { linkType: RAW }))];
    const { stdout, stderr } = await run(["streams", ...paths]);
    expect(secondsOf(stdout)).not.toContain("");
    expect(stderr).not.toContain("clock");
  });
});
