import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { encode as lz4 } from "lz4-browser";
import type { CaptureProblem, Packet } from "../../src/capture/packet.js";
import { readCapture } from "../../src/capture/reader.js";
import type { Dissector, KeyFile } from "../../src/dissector/dissector.js";
import { dissectors } from "../../src/index.js";
import { Network } from "../../src/network/network.js";
import { givenFiles } from "../../src/platform/node/file-on-disk.js";
import { readKeyFile, readKeyFiles } from "../../src/session/files/key-files.js";
import { PcapngWriter, pcapHeader, pcapRecord } from "../support/captures.js";
import {
  concat,
  ethernet,
  gre,
  ieee80211,
  ipFragments,
  linuxCooked,
  linuxCooked2,
  mpls,
  ppp,
  pppoe,
  radiotap,
  udpPacket,
} from "../support/packets.js";
import type { Random } from "../support/random.js";
import { packetsOf } from "../support/sample-packets.js";
import { sample } from "../support/samples.js";
import type { Level } from "./level.js";
import { firstDifference, Mutator } from "./mutate.js";
import type { OutputCheck } from "./outputs.js";
import { CheckedRun, Depth, depthFor, type Seen } from "./run.js";
import { keysOf, samples } from "./seeds.js";
import { Finding } from "./soundness.js";

/** Packets per capture: enough to see conversations begin. */
const PACKETS = 40;
const LONGEST_FILE = 24 * 1024;

/** Link types of the tcpdump registry. */
const ETHERNET = 1;
const PPP = 9;
const RAW = 101;
const IEEE_802_11 = 105;
const COOKED = 113;
const RADIOTAP = 127;
const COOKED_2 = 276;

/** Key material as a capture can contain it. */
const KEY_LOG = new Uint8Array(readFileSync(sample("nagus-session.keys"))).subarray(0, 300);

/** A valid capture file. */
export interface CaptureFile {
  readonly from: string;
  readonly bytes: Uint8Array;
  /** Paths of the key files that decrypt it. */
  readonly keyFiles: readonly string[];
  /** Offset after each of its packets, in order; empty for a compressed file. */
  readonly ends: readonly number[];
  readonly keys: ReadonlyMap<Dissector, readonly KeyFile[]>;
}

/** Whole capture files: every format, link layer and compression. */
export class Files implements Level {
  readonly name = "files";
  input = "";
  readonly #mutator: Mutator;
  readonly #sound = new Map<CaptureFile, readonly Seen[]>();

  private constructor(
    readonly captures: readonly CaptureFile[],
    readonly outputs: OutputCheck,
  ) {
    this.#mutator = new Mutator(
      captures.map(({ bytes }) => bytes),
      [1, 2, 3, 4, 5, 6, 10, 0x0800, 0x86dd, 0x8100, 0x0bad],
    );
  }

  static async create(outputs: OutputCheck): Promise<Files> {
    const captures: CaptureFile[] = layered();
    for (const name of samples) captures.push(...(await cutFrom(name)));
    const plain = [...captures];
    for (const { from, bytes, keys, keyFiles } of plain.slice(0, 12)) {
      const others = { ends: [], keys, keyFiles };
      captures.push({ from: `${from} as gzip`, bytes: new Uint8Array(gzipSync(bytes)), ...others });
      captures.push({ from: `${from} as LZ4`, bytes: new Uint8Array(lz4(Buffer.from(bytes))), ...others });
    }
    return new Files(captures, outputs);
  }

  async run(random: Random): Promise<number> {
    const capture = random.pick(this.captures);
    const bytes = this.#mutator.mutated(capture.bytes, random);
    this.input = `${capture.from}: ${Buffer.from(bytes).toString("hex")}`;
    const run = await dissectFile({ ...capture, bytes }, depthFor(random), this.outputs, random);
    if (capture.ends.length > 0) await this.#compare(capture, firstDifference(capture.bytes, bytes), run);
    return bytes.length;
  }

  /** Checks that the packets before the damage produce what they produce without it. */
  async #compare(capture: CaptureFile, damage: number, run: CheckedRun): Promise<void> {
    let sound = this.#sound.get(capture);
    if (sound === undefined) {
      sound = (await dissectFile(capture, Depth.Printed, this.outputs)).seen;
      this.#sound.set(capture, sound);
    }
    const whole = capture.ends.filter((end) => end <= damage).length;
    const expected = sound.filter(({ frame }) => frame <= whole);
    for (const [index, { text }] of expected.entries()) {
      const found = run.seen[index]?.text;
      if (found !== text)
        throw new Finding(`${whole} packets are before the damage at ${damage}: ${text} becomes ${found}`);
    }
  }
}

/** Dissects a capture file, in pieces of any length. */
export async function dissectFile(
  { bytes, keys }: Pick<CaptureFile, "bytes" | "keys">,
  depth: Depth,
  outputs: OutputCheck,
  random?: Random,
): Promise<CheckedRun> {
  const run = new CheckedRun(keys, depth, outputs, { comparesFields: true });
  const network = new Network(run.network);
  const listener = {
    packet(packet: Packet) {
      run.frame = packet.frame;
      network.packet(packet);
    },
    problem({ offset, text }: CaptureProblem) {
      if (!(offset >= 0) || text === "") throw new Finding(`a problem at ${offset}: ${text}`);
    },
    secrets: (bytes: Uint8Array, name: string) => void readKeyFile({ name, bytes }, dissectors),
  };
  const { outcome } = await readCapture(chunksOf(bytes, random), "fuzz", listener);
  run.frame = Number.POSITIVE_INFINITY;
  network.end();
  run.verdict();
  if (outcome === "stopped") throw new Finding("nobody has stopped it");
  return run;
}

/** The bytes as read from a file: in blocks that are reused. */
async function* chunksOf(bytes: Uint8Array, random: Random | undefined): AsyncGenerator<Uint8Array> {
  const longest = random?.pick([1, 16, 1000, 65_536, 65_536, 65_536]) ?? bytes.length;
  for (let at = 0; at < bytes.length; at += Math.max(longest, bytes.length >> 8)) {
    const chunk = bytes.slice(at, at + Math.max(longest, bytes.length >> 8));
    yield chunk;
    chunk.fill(0xee);
  }
}

/** The first packets of a sample as a file of each format. */
async function cutFrom(name: string): Promise<CaptureFile[]> {
  const packets = await packetsOf(name);
  const { keys } = await readKeyFiles(givenFiles(keysOf(name)), dissectors);
  const first = packets.slice(0, PACKETS).map(({ data, linkType }) => ({ data, linkType }));
  const few = first.filter(
    (_, index) => first.slice(0, index + 1).reduce((sum, { data }) => sum + data.length, 0) < LONGEST_FILE,
  );
  return written(name, few, keys, keysOf(name));
}

interface Linked {
  readonly data: Uint8Array;
  readonly linkType: number;
}

function written(
  from: string,
  packets: readonly Linked[],
  keys: CaptureFile["keys"],
  keyFiles: readonly string[],
): CaptureFile[] {
  const linkType = packets[0]?.linkType ?? ETHERNET;
  const times = packets.map((_, index) => 1_700_000_000_000_000_000n + BigInt(index) * 1_000_000n);
  const records = packets.map(({ data }, index) => ({ data, time: times[index] ?? 0n }));
  const pcap = (fields: Parameters<typeof pcapHeader>[0]) => [
    pcapHeader({ linkType, ...fields }),
    ...records.map((record) => pcapRecord(record, fields)),
  ];
  const pcapng = (little: boolean) => {
    const writer = new PcapngWriter(little);
    const blocks = [writer.secrets(KEY_LOG), writer.custom(KEY_LOG)];
    return [
      concat(writer.section(), writer.interface({ linkType }), ...blocks),
      ...records.map((record) => writer.enhanced(record, record.time / 1000n)),
    ];
  };
  const files = {
    pcap: pcap({}),
    "pcap, nanoseconds": pcap({ nanoseconds: true, little: false }),
    pcapng: pcapng(true),
    "pcapng, big-endian": pcapng(false),
  };
  return Object.entries(files).map(([format, parts]) => {
    let end = 0;
    const ends = parts.map((part) => {
      end += part.length;
      return end;
    });
    return { from: `${from} as ${format}`, bytes: concat(...parts), ends: ends.slice(1), keys, keyFiles };
  });
}

/** Packets in every kind of envelope. */
function layered(): CaptureFile[] {
  const ends = { source: "192.0.2.1", sourcePort: 5155, destination: "192.0.2.2", destinationPort: 5154 };
  const ends6 = { ...ends, source: "2001:db8::1", destination: "2001:db8::2" };
  const payload = Buffer.from("0008706e000000000000000000000000", "hex");
  const [ip, ip6] = [udpPacket(ends, payload), udpPacket(ends6, payload)];
  const large = udpPacket(ends, new Uint8Array(2000)).subarray(20);
  const raw = [ip, ip6, gre(ip), ...ipFragments(17, ends.source, ends.destination, large, [800, 800])];
  const wireless = ieee80211(ip);
  const all: readonly (readonly [number, readonly Uint8Array[]])[] = [
    [
      ETHERNET,
      [...raw, mpls(ip, [16, 17])].flatMap((packet) => [
        ethernet(packet),
        ethernet(packet, [0x8100, 0x88a8]),
        pppoe(packet),
      ]),
    ],
    [PPP, raw.map((packet) => ppp(packet))],
    [RAW, raw],
    [IEEE_802_11, [wireless]],
    [RADIOTAP, [radiotap(wireless)]],
    [COOKED, raw.map(linuxCooked)],
    [COOKED_2, raw.map(linuxCooked2)],
  ];
  return all.flatMap(([linkType, packets]) =>
    written(
      `link type ${linkType}`,
      packets.map((data) => ({ data, linkType })),
      new Map(),
      [],
    ),
  );
}
