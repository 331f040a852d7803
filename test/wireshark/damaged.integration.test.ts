import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Packet } from "../../src/capture/packet.js";
import { rawPcapFile } from "../support/captures.js";
import { jsonLines, uncheckedRun } from "../support/command-line.js";
import { DISTURBANCES, lostAnywhere, lostBeginnings } from "../support/disturbances.js";
import { oncePerName } from "../support/once.js";
import { TcpTalk } from "../support/packets.js";
import { Random } from "../support/random.js";
import { packetsOf } from "../support/sample-packets.js";
import { sample } from "../support/samples.js";
import { apart, captureOf } from "./rounds.js";
import { factOf, hasTshark, WithPlugin } from "./with-plugin.js";

/** Segments that came out of order are put in order, as here; but what was lost is waited for, until the end. */
const IN_ORDER = ["-o", "tcp.reassemble_out_of_order:TRUE"];

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

/** Disturbed packets of a sample, and what is found in them here. */
interface Round {
  readonly what: string;
  readonly loses: boolean;
  readonly packets: readonly Packet[];
  readonly here: Counts;
}

function protocolOf(name: string): string {
  return name.startsWith("bz") ? "bzflag" : "moul";
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

  /** The sound messages that are found here. */
  async function ownOf(capture: string, protocol: string): Promise<Counts> {
    const given = protocol === "moul" ? ["--keys", sample("dirtsand-session.keys")] : [];
    return soundIn(jsonLines((await uncheckedRun([capture, "--json", "--keep-duplicates", ...given])).stdout));
  }

  /** A sample, disturbed in each way. */
  const disturbed = oncePerName(async (name): Promise<Round[]> => {
    const packets = await packetsOf(name);
    const rounds: Round[] = [];
    for (const [what, disturb, loses] of DISTURBANCES) {
      const left = disturb(packets, new Random(7));
      const here = await ownOf(plugin.file(`own-${name}`, captureOf(left)), protocolOf(name));
      rounds.push({ what: `${name}, ${what}`, loses, packets: left, here });
    }
    return rounds;
  });

  /** Rounds, with the sound messages that tshark finds in each. */
  function withShown(
    rounds: readonly Round[],
    protocol: string,
    options: readonly string[],
    filter: readonly string[],
  ): (Round & { readonly there: Counts })[] {
    const path = plugin.file("rounds.pcap", captureOf(rounds.map(({ packets }) => packets).flatMap(apart)));
    const frames = plugin.namedByFrame(path, protocol, [...options, ...keyed, "-2"], filter);
    let end = 0;
    return rounds.map((round) => {
      const start = end;
      end += round.packets.length;
      const own = frames.filter(({ frame }) => frame > start && frame <= end);
      return { ...round, there: soundIn(own.flatMap(({ messages }) => messages)) };
    });
  }

  test.each([
    ["moul", ["dirtsand-plain.pcap", "dirtsand-session.pcap"]],
    ["bzflag", ["bz107e-relay.pcap", "bz0221-glclient.pcap"]],
  ])(
    "shows nothing that is not here, and nearly all that is: %s, %s",
    async (protocol, names) => {
      const rounds = (await Promise.all(names.map(disturbed))).flat();
      for (const losing of [false, true]) {
        const some = rounds.filter(({ loses }) => loses === losing);
        expect(some.length).toBeGreaterThan(1);
        for (const { what, here, there } of withShown(some, protocol, losing ? [] : IN_ORDER, ["-Y", protocol])) {
          const found = shared(there, here);
          expect(total(there) - found, `${what}: not here`).toBeLessThanOrEqual(losing ? 1 : 0);
          expect(found / total(here), `${what}: here only`).toBeGreaterThanOrEqual(losing ? 0.95 : 1);
        }
      }
    },
    120_000,
  );

  test("shows hardly anything that was not said where parts of the key exchange are missing, and nearly all that is here", async () => {
    for (const [name, disturb] of [
      ["dirtsand-plain.pcap", lostAnywhere],
      ["nagus-plain.pcap", lostAnywhere],
      ["dirtsand-plain.pcap", lostBeginnings],
      ["nagus-plain.pcap", lostBeginnings],
      ["dirtsand-session.pcap", lostAnywhere],
      ["dirtsand-session.pcap", lostBeginnings],
    ] as const) {
      const packets = await packetsOf(name);
      const whole = await ownOf(sample(name), "moul");
      const path = plugin.file(`${disturb.name}-${name}`, captureOf(disturb(packets, new Random(11))));
      const here = await ownOf(path, "moul");
      const there = soundIn(plugin.named(path, "moul", [...keyed, "-2"]));
      const what = `${name}, ${disturb.name}`;
      expect(total(there) - shared(there, whole), `${what}: not said`).toBeLessThanOrEqual(1);
      expect(shared(there, here) / total(here), `${what}: here only`).toBeGreaterThanOrEqual(0.95);
    }
  }, 120_000);

  test("says the same of a gap as here, and finds the next message", async () => {
    const packets = await packetsOf("bz107e-relay.pcap");
    const at = packets.findIndex(({ data }, index) => index > 400 && data[23] === 6 && data.length > 90);
    const path = plugin.file("gap.pcap", captureOf(packets.filter((_, index) => index !== at)));
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
    const path = plugin.file("middle.pcap", captureOf(packets.slice(Math.floor(packets.length / 2))));
    const here = await ownOf(path, protocol);
    const there = soundIn(plugin.named(path, protocol, [...keyed, "-2"]));
    const found = shared(there, here);
    expect(total(there) - found).toBe(0);
    expect(found).toBeGreaterThan(50);
  });

  test.each([
    ["moul", "dirtsand-plain.pcap"],
    ["bzflag", "bz107e-relay.pcap"],
  ])(
    "without a filter, tshark -2 shows what is here, except out of order: %s, %s",
    async (protocol, name) => {
      for (const { what, loses, here, there } of withShown(await disturbed(name), protocol, [], [])) {
        const found = shared(there, here);
        expect(total(there) - found, `${what}: not here`).toBeLessThanOrEqual(loses ? 1 : 0);
        expect(found / total(here), `${what}: here only`).toBeGreaterThanOrEqual(0.95);
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
