import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Packet } from "../../src/capture/packet.js";
import { pcapFile } from "../support/captures.js";
import { uncheckedRun } from "../support/command-line.js";
import { DISTURBANCES } from "../support/disturbances.js";
import { Random } from "../support/random.js";
import { packetsOf } from "../support/sample-packets.js";
import { sample } from "../support/samples.js";
import { columnsOf, hasTshark, WithPlugin } from "./with-plugin.js";

/** One for each way to disturb packets; more find more: MOUL_DISSECT_WIRESHARK_FUZZ=100. */
const ROUNDS = Number(process.env["MOUL_DISSECT_WIRESHARK_FUZZ"] ?? DISTURBANCES.length);

/** Most rounds in one capture: what takes the time is that tshark starts. */
const MOST_AT_ONCE = DISTURBANCES.length;

/** Where payload may begin: after Ethernet, IPv4, and UDP or TCP without options. */
const HEADERS = 14 + 20 + 8;
/** Where the IPv4 addresses are. */
const ADDRESSES = [14 + 12, 14 + 16];
/** How much later than the one before a round is. */
const ROUND_SECONDS = 86_400;

/** Fields that are enough where only some are wanted: with the first, all bytes have to be looked at. */
const WANTED = [
  ["number", "status", "message", "class", "undissected"],
  ["number", "message", "class"],
];
const COLUMNS = [...new Set(WANTED.flat())];

/** Changes bytes of some packets: single ones, ranges, and what looks like lengths and counts. */
function mutated(packets: readonly Packet[], random: Random): Packet[] {
  return packets.map((packet) => {
    const from = packet.data[23] === 6 ? HEADERS + 24 : HEADERS;
    if (packet.data.length <= from || random.fraction() > 0.25) return packet;
    const data = packet.data.slice();
    for (let count = 1 + random.below(4); count > 0; count--) {
      const at = from + random.below(data.length - from);
      const kind = random.below(4);
      if (kind === 0) data[at] = random.below(256);
      else if (kind === 1) data[at] = 0xff;
      else if (kind === 2) data.fill(random.below(256), at, at + 1 + random.below(16));
      else data.copyWithin(at, from + random.below(data.length - from), data.length);
    }
    return { ...packet, data };
  });
}

/** The packets of a round, between hosts of its own, so that the rounds share no conversation. */
function ofRound(packets: readonly Packet[], round: number): Packet[] {
  return packets.map((packet) => {
    const data = packet.data.slice();
    for (const address of ADDRESSES) {
      const isGroup = (data[address] ?? 0) >= 224;
      if (!isGroup && address + 4 <= data.length) data[address + 1] = round % 256;
    }
    return { ...packet, data, seconds: packet.seconds + round * ROUND_SECONDS };
  });
}

/** A damaged capture: several rounds, one after the other. */
function damaged(packets: readonly Packet[], rounds: readonly number[]): Uint8Array {
  const all = rounds.flatMap((round) => {
    const random = new Random(round + 1);
    const [, disturb = () => []] = DISTURBANCES[round % DISTURBANCES.length] ?? [];
    return ofRound(mutated(disturb(packets, random), random), round);
  });
  return pcapFile(
    all.map(({ data, seconds, nanoseconds, originalLength }) => ({
      data,
      time: BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds),
      originalLength: Math.max(originalLength, data.length),
    })),
  );
}

describe.skipIf(!hasTshark)("a damaged capture in Wireshark (skipped without tshark)", () => {
  let plugin: WithPlugin;
  let log = "";
  beforeAll(async () => {
    plugin = new WithPlugin();
    const keys = ["--keys", sample("dirtsand-session.keys")];
    log = plugin.file("keys", (await uncheckedRun(["keys", sample("dirtsand-session.pcap"), ...keys])).stdout);
  });
  afterAll(() => plugin.close());

  const names = ["dirtsand-plain.pcap", "dirtsand-session.pcap", "nagus-plain.pcap", "bz0221-glclient.pcap"];
  const classic = ["bz107e-relay.pcap", "bz107e-udp.pcap", "bz107e-listserver.pcap", "bz107e-ping.pcap"];

  test.each([...names, ...classic])(
    "gives no error of Lua, in either pass: %s",
    async (name) => {
      const packets = await packetsOf(name);
      const protocol = name.startsWith("bz") ? "bzflag" : "moul";
      for (let first = 0; first < ROUNDS; first += MOST_AT_ONCE) {
        const rounds = Array.from({ length: Math.min(MOST_AT_ONCE, ROUNDS - first) }, (_, index) => first + index);
        const what = `${name}, rounds ${rounds}`;
        const path = plugin.file("damaged.pcap", damaged(packets, rounds));
        const options = ["-o", `moul.keylog:${log}`];
        const shown = plugin.tshark(path, [...options, "-2", "-Y", "frame", "-V"]);
        const errors = shown.split("\n").filter((line) => /Lua Error|the plugin failed/.test(line));
        expect(errors.slice(0, 5), what).toEqual([]);
        expect(/\[message: \w+\]/.test(shown), what).toBe(true);
        const failed = [...options, "-Y", '_ws.expert.message contains "plugin failed"'];
        expect(plugin.tshark(path, failed), what).toBe("");
        // What is passed over must not matter to the rest.
        const all = plugin.columns(path, protocol, COLUMNS, options);
        for (const wanted of WANTED) {
          const only = ["-o", `${protocol}.only:${wanted.join(",")}`];
          const some = plugin.columns(path, protocol, wanted, [...options, ...only]);
          expect(some, `${what}, ${wanted}`).toEqual(columnsOf(all, COLUMNS, wanted));
        }
      }
    },
    60_000 * ROUNDS,
  );
});
