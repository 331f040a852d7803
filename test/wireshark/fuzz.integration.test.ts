import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Packet } from "../../src/capture/packet.js";
import { pcapFile } from "../support/captures.js";
import { uncheckedRun } from "../support/command-line.js";
import { DISTURBANCES } from "../support/disturbances.js";
import { Random } from "../support/random.js";
import { packetsOf } from "../support/sample-packets.js";
import { sample } from "../support/samples.js";
import { hasTshark, WithPlugin } from "./with-plugin.js";

/** One for each way to disturb packets; more find more: MOUL_DISSECT_WIRESHARK_FUZZ=100. */
const ROUNDS = Number(process.env["MOUL_DISSECT_WIRESHARK_FUZZ"] ?? 4);

/** Where payload may begin: after Ethernet, IPv4, and UDP or TCP without options. */
const HEADERS = 14 + 20 + 8;

/** Fields that are enough where only some are wanted: with the first, all bytes have to be looked at. */
const WANTED = [
  ["number", "status", "message", "class", "undissected"],
  ["number", "message", "class"],
];

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
      for (let round = 0; round < ROUNDS; round++) {
        const random = new Random(round + 1);
        const [, disturb = (all: readonly Packet[]) => [...all]] = DISTURBANCES[round % DISTURBANCES.length] ?? [];
        const damaged = mutated(disturb(packets, random), random);
        const records = damaged.map(({ data, seconds, nanoseconds, originalLength }) => ({
          data,
          time: BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds),
          originalLength: Math.max(originalLength, data.length),
        }));
        const path = plugin.file("damaged.pcap", pcapFile(records));
        const shown = plugin.tshark(path, ["-o", `moul.keylog:${log}`, "-2", "-Y", "frame", "-V"]);
        const errors = shown.split("\n").filter((line) => /Lua Error|the plugin failed/.test(line));
        expect(errors.slice(0, 5), `${name}, round ${round}`).toEqual([]);
        expect(/\[message: \w+\]/.test(shown)).toBe(true);
        const listed = plugin.tshark(path, [
          "-o",
          `moul.keylog:${log}`,
          "-Y",
          '_ws.expert.message contains "plugin failed"',
        ]);
        expect(listed, `${name}, round ${round}`).toBe("");
        // What is passed over must not matter to the rest.
        for (const wanted of WANTED) {
          const columns = ["frame.number", ...wanted.map((field) => `${protocol}.${field}`)];
          const some = ["-o", `moul.keylog:${log}`, "-T", "fields", ...columns.flatMap((column) => ["-e", column])];
          const all = plugin.tshark(path, some);
          const only = ["-o", `${protocol}.only:${wanted.join(",")}`];
          expect(plugin.tshark(path, [...only, ...some]), `round ${round}, ${wanted}`).toBe(all);
        }
      }
    },
    60_000 * ROUNDS,
  );
});
