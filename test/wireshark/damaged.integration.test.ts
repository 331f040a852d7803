import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Packet } from "../../src/capture/packet.js";
import { pcapFile, rawPcapFile } from "../support/captures.js";
import { jsonLines, uncheckedRun } from "../support/command-line.js";
import { DISTURBANCES } from "../support/disturbances.js";
import { TcpTalk } from "../support/packets.js";
import { Random } from "../support/random.js";
import { packetsOf } from "../support/sample-packets.js";
import { sample } from "../support/samples.js";
import { factOf, hasTshark, WithPlugin } from "./with-plugin.js";

/** Segments that came out of order are put in order, as here; but what was lost is waited for, until the end. */
const IN_ORDER = ["-o", "tcp.reassemble_out_of_order:TRUE"];

function pcap(packets: readonly Packet[]): Uint8Array {
  return pcapFile(
    packets.map(({ data, seconds, nanoseconds, originalLength }) => ({
      data,
      time: BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds),
      originalLength: Math.max(originalLength, data.length),
    })),
  );
}

/** How often each message occurs, by name. */
type Counts = ReadonlyMap<string, number>;

function countsOf(messages: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const message of messages) counts.set(message, (counts.get(message) ?? 0) + 1);
  return counts;
}

function soundIn(messages: readonly { readonly message: string; readonly status: string }[]): Counts {
  return countsOf(messages.flatMap(({ message, status }) => (status === "ok" ? [message] : [])));
}

/** How many messages of the first are in the second, too. */
function shared(first: Counts, second: Counts): number {
  return [...first].reduce((sum, [name, count]) => sum + Math.min(count, second.get(name) ?? 0), 0);
}

function total(counts: Counts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

describe.skipIf(!hasTshark)("a capture that is not whole, in Wireshark (skipped without tshark)", () => {
  let plugin: WithPlugin;
  let keyed: readonly string[] = [];
  beforeAll(async () => {
    plugin = new WithPlugin();
    const log = await uncheckedRun([
      "keys",
      sample("dirtsand-session.pcap"),
      "--keys",
      sample("dirtsand-session.keys"),
    ]);
    keyed = ["-o", `moul.keylog:${plugin.file("keys", log.stdout)}`];
  });
  afterAll(() => plugin.close());

  /** The sound messages in a capture, there and here. */
  async function both(
    capture: string,
    protocol: string,
    options: readonly string[],
    filter?: readonly string[],
  ): Promise<{ readonly there: Counts; readonly here: Counts }> {
    const shown = plugin.named(capture, protocol, [...options, ...keyed, "-2"], filter);
    const given = protocol === "moul" ? ["--keys", sample("dirtsand-session.keys")] : [];
    const own = await uncheckedRun([capture, "--json", "--keep-duplicates", ...given]);
    return { there: soundIn(shown), here: soundIn(jsonLines(own.stdout)) };
  }

  test.each([
    ["dirtsand-plain.pcap", "moul"],
    ["dirtsand-session.pcap", "moul"],
    ["bz107e-relay.pcap", "bzflag"],
    ["bz0221-glclient.pcap", "bzflag"],
  ])(
    "shows nothing that is not here, and nearly all that is: %s",
    async (name, protocol) => {
      const packets = await packetsOf(name);
      for (const [index, [what, disturb, loses]] of DISTURBANCES.entries()) {
        const path = plugin.file(`damaged-${index}.pcap`, pcap(disturb(packets, new Random(7))));
        const { there, here } = await both(path, protocol, loses ? [] : IN_ORDER);
        const found = shared(there, here);
        expect(total(there) - found, `${name}, ${what}: not here`).toBeLessThanOrEqual(loses ? 1 : 0);
        expect(found / total(here), `${name}, ${what}: here only`).toBeGreaterThanOrEqual(loses ? 0.95 : 1);
      }
    },
    120_000,
  );

  test("says the same of a gap as here, and finds the next message", async () => {
    const packets = await packetsOf("bz107e-relay.pcap");
    const at = packets.findIndex(({ data }, index) => index > 400 && data[23] === 6 && data.length > 90);
    const path = plugin.file("gap.pcap", pcap(packets.filter((_, index) => index !== at)));
    const statuses = (lines: readonly { message: string; status: string }[]) =>
      lines.filter(({ status }) => status !== "ok").map(({ message, status }) => `${message} ${status}`);
    const own = jsonLines((await uncheckedRun([path, "--json"])).stdout);
    const shown = plugin.named(path, "bzflag");
    expect(statuses(own)).toContain("gap truncated");
    expect(statuses(shown)).toEqual(statuses(own));
    expect(shown.length).toBe(own.length);
  });

  test("with a wrong key, says so once for each direction of a connection, as here", async () => {
    const right = await uncheckedRun([
      "keys",
      sample("dirtsand-session.pcap"),
      "--keys",
      sample("dirtsand-session.keys"),
    ]);
    const wrong = plugin.file("wrong", right.stdout.replaceAll(/ [0-9a-f]{14}$/gm, " 00112233445566"));
    const shown = plugin.shown(sample("dirtsand-session.pcap"), "moul", ["-o", `moul.keylog:${wrong}`]);
    const encrypted = shown.filter((one) => factOf(one, "moul", "status") === "encrypted");
    const own = jsonLines((await uncheckedRun([sample("dirtsand-session.pcap"), "--json", "--keys", wrong])).stdout);
    const here = own.filter(({ status }) => status === "encrypted");
    expect(here.length).toBeGreaterThan(8);
    expect(new Set(encrypted.map((one) => factOf(one, "moul", "number"))).size).toBe(here.length);
    expect(encrypted.every((one) => JSON.stringify(one).includes("the key for it is wrong"))).toBe(true);
    const messages = shown.filter((one) => factOf(one, "moul", "status") !== "encrypted");
    expect(messages.map((one) => factOf(one, "moul", "message"))).toEqual(
      own.filter(({ status }) => status !== "encrypted").map(({ message }) => message),
    );
  });

  test.each([
    ["dirtsand-plain.pcap", "moul"],
    ["bz107e-relay.pcap", "bzflag"],
  ])("a capture of %s that begins in the middle shows nothing that is not here", async (name, protocol) => {
    const packets = await packetsOf(name);
    const path = plugin.file("middle.pcap", pcap(packets.slice(Math.floor(packets.length / 2))));
    const { there, here } = await both(path, protocol, []);
    const found = shared(there, here);
    expect(total(there) - found).toBe(0);
    expect(found).toBeGreaterThan(50);
  });

  test.each([
    ["dirtsand-plain.pcap", "moul"],
    ["bz107e-relay.pcap", "bzflag"],
  ])(
    "without a filter, tshark -2 shows what is here, except out of order: %s",
    async (name, protocol) => {
      const packets = await packetsOf(name);
      for (const [index, [what, disturb, loses]] of DISTURBANCES.entries()) {
        const path = plugin.file(`passes-${index}.pcap`, pcap(disturb(packets, new Random(7))));
        const { there, here } = await both(path, protocol, [], []);
        const found = shared(there, here);
        expect(total(there) - found, `${name}, ${what}: not here`).toBeLessThanOrEqual(loses ? 1 : 0);
        expect(found / total(here), `${name}, ${what}: here only`).toBeGreaterThanOrEqual(0.95);
      }
    },
    120_000,
  );

  test("a message that claims to have no bytes is not found again forever", () => {
    const talk = new TcpTalk(["192.0.2.1", 40_000], ["192.0.2.2", 14_617], [1000, 2000]);
    const type = 16;
    // Connect packet of the file server: type, header length, build, branch, product; then the length of its data.
    const head = Buffer.alloc(43);
    head.writeUInt8(type, 0);
    head.writeUInt16LE(31, 1);
    head.writeUInt32LE(12, 31);
    const claim = Buffer.from([0, 0, 0, 0, 0x99, 0x99, 0, 0, 1, 2, 3, 4]);
    const packets = [...talk.handshake(), talk.send(0, head), talk.send(0, claim)];
    const path = plugin.file("none.pcap", rawPcapFile(packets));
    const messages = plugin.named(path, "moul").map(({ message }) => message);
    expect(messages).toEqual(["Cli2File_Connect", "Cli2File_39321"]);
    // Its bytes are shown, unless other fields are enough.
    const fields = (options: readonly string[]) => JSON.stringify(plugin.shown(path, "moul", options));
    expect(fields([])).toContain("moul.undissected");
    const only = fields(["-o", "moul.only:message"]);
    expect(only).toContain("Cli2File_39321");
    expect(only).not.toContain("moul.undissected");
  });
});
