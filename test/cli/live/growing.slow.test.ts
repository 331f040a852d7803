import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { constants, createGzip } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { PcapngWriter, pcapHeader, pcapRecord } from "../../support/captures.js";
import { buildProgram } from "../../support/installed-program.js";
import { MoulTalk, packetsOf, ping } from "../../support/moul-session.js";
import { RAW } from "../../support/network.js";
import { concat } from "../../support/packets.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const folder = temporaryFolder();
let program = "";
beforeAll(() => {
  program = buildProgram(folder);
}, 60_000);

const packets = packetsOf(ping(ping(new MoulTalk("auth", { encryption: "none" }).opens(), 1), 2));
/** The number of packets with payload, each of which holds one message. */
const MESSAGES = packets.filter((packet) => packet.length > 40).length;

/** The program with its standard input open, and the lines it has printed so far. */
class Running {
  readonly #child: ChildProcessWithoutNullStreams = spawn(process.execPath, [program, "-", "--format", "summary"], {
    env: {},
  });
  #text = "";

  constructor() {
    this.#child.stdout.on("data", (chunk: Buffer) => {
      this.#text += chunk.toString();
    });
  }

  get lines(): number {
    return this.#text.split("\n").length - 1;
  }

  write(bytes: Uint8Array): void {
    this.#child.stdin.write(bytes);
  }

  /** Waits for this many lines, which nothing but the bytes written can produce. */
  async until(lines: number): Promise<void> {
    for (let waited = 0; this.lines < lines; waited += 10) {
      if (waited > 10_000) throw new Error(`after ten seconds there are ${this.lines} lines instead of ${lines}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async end(): Promise<number | null> {
    this.#child.stdin.end();
    return new Promise((resolve) => this.#child.on("close", resolve));
  }
}

describe("a capture that is still being recorded", () => {
  const write = new PcapngWriter();
  const containers: readonly (readonly [string, Uint8Array, (packet: Uint8Array) => Uint8Array])[] = [
    ["pcap", pcapHeader({ linkType: RAW }), (data) => pcapRecord({ data })],
    ["pcapng", concat(write.section(), write.interface({ linkType: RAW })), (data) => write.enhanced({ data }, 0n)],
  ];

  test.each(containers)(
    "shows each message as soon as its bytes have arrived: %s",
    async (_name, head, record) => {
      const running = new Running();
      running.write(head);
      let shown = 0;
      for (const packet of packets) {
        const bytes = record(packet);
        // In two pieces, the first of which is not enough.
        running.write(bytes.subarray(0, 30));
        running.write(bytes.subarray(30));
        if (packet.length > 40) await running.until(++shown);
        expect(running.lines).toBe(shown);
      }
      expect(shown).toBe(MESSAGES);
      expect(await running.end()).toBe(0);
    },
    60_000,
  );

  test("shows them even if it is compressed on the way", async () => {
    const running = new Running();
    const gzip = createGzip();
    gzip.on("data", (bytes: Uint8Array) => running.write(bytes));
    const flushed = () => new Promise<void>((resolve) => gzip.flush(constants.Z_SYNC_FLUSH, () => resolve()));
    gzip.write(pcapHeader({ linkType: RAW }));
    let shown = 0;
    for (const packet of packets) {
      gzip.write(pcapRecord({ data: packet }));
      await flushed();
      if (packet.length > 40) await running.until(++shown);
    }
    gzip.end();
    await new Promise((resolve) => gzip.on("end", resolve));
    expect(await running.end()).toBe(0);
  }, 60_000);
});
