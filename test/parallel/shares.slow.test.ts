import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Packet } from "../../src/capture/packet.js";
import type { CaptureSource } from "../../src/capture/source.js";
import type { DisplayOptions } from "../../src/cli/message-display.js";
import { ownerOf } from "../../src/parallel/shares/owner.js";
import type { EngineOptions } from "../../src/pipeline/options.js";
import { captureAt } from "../../src/platform/node/capture-file.js";
import { givenFiles } from "../../src/platform/node/file-on-disk.js";
import { makeTraffic } from "../bench/traffic/traffic.js";
import { pcapFile } from "../support/captures.js";
import { DISTURBANCES } from "../support/disturbances.js";
import { countDivided, countWhole } from "../support/divided.js";
import { COLUMNS, printDivided, printWhole } from "../support/divided-lines.js";
import { Random } from "../support/random.js";
import { packetsIn, packetsOf } from "../support/sample-packets.js";
import { DISTINCT_SESSIONS, openSample, sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/**
 * Several threads count what one counts, in the same order: each dissects some conversations. Where these may depend on
 * each other, the threads say so, and one has to count everything. Of lines, those that were printed before are right.
 */

const THREADS = [2, 3, 8];

const LINES: readonly DisplayOptions[] = [
  { format: "fields", field: COLUMNS },
  { format: "fields", field: ["objectName", "number"], csv: true, filter: "plNetMsgGameMessage" },
];

const KEYS = new Map([
  ["dirtsand-session.pcap", "keys/dirtsand/dirtsand.ini"],
  ["nagus-session.pcap", "keys/nagus/nagus_config.ini"],
]);

function keysOf(name: string): EngineOptions {
  const path = KEYS.get(name);
  return { keys: givenFiles(path === undefined ? [] : [sample(path)]) };
}

/** A capture of packets, in chunks of so many bytes. */
function sourceOf(packets: readonly Packet[], chunk = Number.POSITIVE_INFINITY): CaptureSource {
  const file = pcapFile(
    packets.map(({ data, originalLength, seconds, nanoseconds }) => ({
      data,
      originalLength,
      time: BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds),
    })),
  );
  return {
    name: "capture.pcap",
    open: async function* () {
      for (let at = 0; at < file.length; at += chunk) yield file.subarray(at, Math.min(at + chunk, file.length));
    },
  };
}

/** Compares what is printed: where it cannot be divided, up to there; returns why, as well. */
async function expectTheSameLines(source: CaptureSource, options: EngineOptions, threads = THREADS): Promise<string[]> {
  const reasons: string[] = [];
  for (const shown of LINES) {
    const whole = await printWhole(source, options, shown);
    for (const count of threads) {
      const { reason, ...divided } = await printDivided(source, options, shown, count);
      if (reason === undefined) expect(divided, `${count} threads`).toEqual(whole);
      else {
        reasons.push(reason);
        expect(whole.text.startsWith(divided.text), reason).toBe(true);
        expect(divided.troubles).toEqual(whole.troubles.slice(0, divided.troubles.length));
      }
    }
  }
  return reasons;
}

/** Compares; returns why it could not be divided, if it could not. */
async function expectTheSame(source: CaptureSource, options: EngineOptions, threads = THREADS): Promise<string[]> {
  const whole = await countWhole(source, options);
  const reasons: string[] = [];
  for (const count of threads) {
    const divided = await countDivided(source, options, count);
    if (typeof divided === "string") reasons.push(divided);
    else expect(divided, `${count} threads`).toEqual(whole);
  }
  return reasons;
}

describe("a sample", () => {
  it.each(DISTINCT_SESSIONS)("is counted as by one thread: %s", async (name) => {
    const reasons = await expectTheSame({ name, open: () => openSample(name) }, keysOf(name));
    // Where one conversation announces another, or UDP is used, the order is that of one thread.
    expect(reasons.length).toBe(name.startsWith("bz") ? THREADS.length : 0);
  });

  it.each(DISTINCT_SESSIONS)("is printed as by one thread: %s", async (name) => {
    const reasons = await expectTheSameLines({ name, open: () => openSample(name) }, keysOf(name));
    const isBzflag = name.startsWith("bz");
    // One of the columns is a name.
    if (!isBzflag) for (const reason of reasons) expect(reason).toBe("a message depends on a name");
    expect(reasons.length).toBeLessThanOrEqual(isBzflag ? LINES.length * THREADS.length : THREADS.length);
    if (isBzflag) expect(reasons.length).toBeGreaterThan(0);
  });
});

describe.each([...KEYS.keys()])("%s", (name) => {
  describe.each(DISTURBANCES)("with packets that are %s", (_what, disturb, loses) => {
    it("is counted as by one thread, or not divided", async () => {
      const packets = await packetsOf(name);
      const reasons: string[] = [];
      for (let seed = 1; seed <= 4; seed++) {
        const source = sourceOf(disturb(packets, new Random(seed)), seed % 2 === 0 ? 5000 : undefined);
        reasons.push(...(await expectTheSame(source, keysOf(name), [THREADS[seed % 3] ?? 2])));
      }
      if (!loses) expect(reasons).toEqual([]);
      expect(reasons.length).toBeLessThanOrEqual(4);
      for (const reason of reasons) expect(reason).toMatch(/uncertain|at the same time|missing/);
    });

    it("is printed as by one thread, as far as it is divided", async () => {
      const packets = await packetsOf(name);
      for (let seed = 11; seed <= 13; seed++) {
        const source = sourceOf(disturb(packets, new Random(seed)), seed % 2 === 0 ? 5000 : undefined);
        await expectTheSameLines(source, keysOf(name), [THREADS[seed % 3] ?? 2]);
      }
    });
  });
});

describe("traffic of many conversations", () => {
  const folder = temporaryFolder();
  const options: { -readonly [name in keyof EngineOptions]: EngineOptions[name] } = {};
  let whole = "";
  beforeAll(() => {
    const made = makeTraffic(join(folder, "traffic"), { size: 1_200_000, conversations: 40, open: 12, hasTwin: false });
    options.keys = givenFiles([made.keys]);
    options.definitions = givenFiles([made.sdl]);
    whole = made.capture;
  }, 60_000);

  it("is divided, and counted as by one thread", async () => {
    expect(await expectTheSame(captureAt(whole), options)).toEqual([]);
  }, 60_000);

  it("is divided, and printed as by one thread", async () => {
    const reasons = await expectTheSameLines(captureAt(whole), options);
    for (const reason of reasons) expect(reason).toBe("a message depends on a name");
    expect(reasons.length).toBeLessThanOrEqual(THREADS.length);
  }, 60_000);

  it("is divided with few packets out of order", async () => {
    const packets = await packetsIn(captureAt(whole).open(), whole);
    const random = new Random(7);
    const moved = packets
      .map((packet, index) => ({ packet, place: random.fraction() < 0.002 ? index + 0.5 + random.below(8) : index }))
      .sort((one, other) => one.place - other.place)
      .map(({ packet }) => packet);
    expect(await expectTheSame(sourceOf(moved, 262_144), options)).toEqual([]);
  }, 60_000);
});

describe("conversations", () => {
  it("are divided evenly, of whatever kinds they are in turn", () => {
    for (const threads of [2, 3, 4, 8]) {
      for (const kinds of [1, 2, 3, 4, 8]) {
        const counts = Array.from({ length: threads }, () => 0);
        for (let stream = 0; stream < 4096 * kinds; stream += kinds) {
          const owner = ownerOf(stream, threads);
          counts[owner] = (counts[owner] ?? 0) + 1;
        }
        expect(Math.max(...counts) / Math.min(...counts), `${threads} threads, ${kinds} kinds`).toBeLessThan(1.2);
      }
    }
  });
});
