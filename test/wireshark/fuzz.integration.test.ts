import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Packet } from "../../src/capture/packet.js";
import { uncheckedRun } from "../support/command-line.js";
import { DISTURBANCES } from "../support/disturbances.js";
import { Random } from "../support/random.js";
import { packetsOf } from "../support/sample-packets.js";
import { sample } from "../support/samples.js";
import { apart, captureOf } from "./rounds.js";
import { columnsOf, hasTshark, WithPlugin } from "./with-plugin.js";

/** One for each way to disturb packets; more find more: MOUL_DISSECT_WIRESHARK_FUZZ=100. */
const ROUNDS = Number(process.env["MOUL_DISSECT_WIRESHARK_FUZZ"] ?? DISTURBANCES.length);

/** Most rounds of each sample in one capture: what takes the time is that tshark starts. */
const MOST_AT_ONCE = DISTURBANCES.length;

/** Where payload may begin: after Ethernet, IPv4, and UDP or TCP without options. */
const HEADERS = 14 + 20 + 8;

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

/** The damaged packets of several rounds of a sample. */
function damaged(packets: readonly Packet[], rounds: readonly number[]): Packet[][] {
  return rounds.map((round) => {
    const random = new Random(round + 1);
    const [, disturb = () => []] = DISTURBANCES[round % DISTURBANCES.length] ?? [];
    return mutated(disturb(packets, random), random);
  });
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

  test.each([
    ["moul", ["dirtsand-plain.pcap", "dirtsand-session.pcap", "nagus-plain.pcap"]],
    [
      "bzflag",
      ["bz0221-glclient.pcap", "bz107e-relay.pcap", "bz107e-udp.pcap", "bz107e-listserver.pcap", "bz107e-ping.pcap"],
    ],
  ])(
    "gives no error of Lua, in either pass: %s, %s",
    async (protocol, names) => {
      const samples = await Promise.all(names.map(packetsOf));
      for (let first = 0; first < ROUNDS; first += MOST_AT_ONCE) {
        const rounds = Array.from({ length: Math.min(MOST_AT_ONCE, ROUNDS - first) }, (_, index) => first + index);
        const what = `rounds ${rounds}`;
        const bySample = samples.map((packets) => damaged(packets, rounds));
        const path = plugin.file("damaged.pcap", captureOf(bySample.flat().flatMap(apart)));
        const options = ["-o", `moul.keylog:${log}`];
        const shown = plugin.tshark(path, [...options, "-2", "-Y", "frame", "-V"]);
        const errors = shown.split("\n").filter((line) => /Lua Error|the plugin failed/.test(line));
        expect(errors.slice(0, 5), what).toEqual([]);
        const frames = shown.split(/^(?=Frame \d)/m);
        for (const [index, packets] of bySample.entries()) {
          const own = frames.splice(0, packets.flat().length).join("");
          expect(/\[message: \w+\]/.test(own), `${names[index]}, ${what}`).toBe(true);
        }
        expect(frames).toEqual([]);
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
