import { afterEach, describe, expect, test } from "vitest";
import { type Dissector, loadDissector } from "../../src/index.js";
import { array, coded, rest, struct, text, u8 } from "../../src/schema/index.js";
import { wiresharkPlugin } from "../../src/wireshark/index.js";
import { rawPcapFile } from "../support/captures.js";
import { TcpTalk } from "../support/packets.js";
import { sample } from "../support/samples.js";
import { toyDissector, words } from "../support/toy.js";
import { factOf, hasTshark, WithPlugin } from "./with-plugin.js";

let plugin: WithPlugin | undefined;

afterEach(() => plugin?.close());

function withPlugin(...dissectors: readonly Dissector[]): WithPlugin {
  plugin = new WithPlugin(wiresharkPlugin("test", { loaded: dissectors }));
  return plugin;
}

/** A connection in which the client says this. */
function saying(...pieces: readonly Uint8Array[]): Uint8Array {
  const talk = new TcpTalk(["192.0.2.1", 40_000], ["192.0.2.2", 7000], [1000, 2000]);
  return rawPcapFile([...talk.handshake(), ...pieces.map((piece) => talk.send(0, piece))]);
}

const varint = coded("varint", {
  isWholeNumber: true,
  measure(view, start, limit) {
    for (let at = start; at < limit; at++) if (view.getUint8(at) < 0x80) return at + 1 - start;
    return -(limit - start + 1);
  },
  read: (bytes, start, end) => bytes.subarray(start, end).reduceRight((sum, byte) => sum * 128 + (byte & 0x7f), 0),
  write: (value: number) => Uint8Array.of(value),
});
const head = { length: u8, type: u8 };
const Count = struct("Count", { ...head, before: u8, count: varint, after: text(rest) });
const Counts = struct("Counts", { ...head, counts: array(varint, rest) });

describe.skipIf(!hasTshark)("a dissector that is not built in (skipped without tshark)", () => {
  test("with a framing that is data: every field and summary of parley.pcap is the same as here", async () => {
    const parley = sample("example-dissector/parley.js");
    const own = ["--dissector", parley];
    const loaded = await loadDissector(parley, new Set());
    await withPlugin(loaded).expectSame(sample("example-dissector/parley.pcap"), "parley", { own });
  });

  test("with a codec in JavaScript: its leaves and what follows are bytes, with a note; the next message is found", () => {
    const { open, ...toy } = toyDissector();
    const framed: Dissector = {
      ...toy,
      open,
      ports: [{ transport: "tcp", port: 7000 }],
      wireshark: {
        length: { at: 0, kind: "u8", plus: 1 },
        type: { at: 1, kind: "u8" },
        messages: { c2s: { 1: Count, 2: Counts }, s2c: {} },
      },
    };
    const capture = saying(Uint8Array.of(5, 1, 9, 0x81, 0x01, 0x41), Uint8Array.of(3, 2, 7, 7, 2, 3, 0));
    const made = withPlugin(framed);
    const shown = made.shown(made.file("codecs.pcap", capture), "toy");
    expect(shown.map((one) => [factOf(one, "toy", "message"), factOf(one, "toy", "status")])).toEqual([
      ["Count", "unknown"],
      ["Counts", "unknown"],
      ["type 3", "unknown"],
    ]);
    const [count] = shown;
    expect(count?.fields.map(({ name, line }) => `${name} ${line}`).join("\n")).toMatch(/toy\.before before: 9/);
    expect(JSON.stringify(count)).toContain("count: 3 bytes");
    expect(JSON.stringify(count)).toContain("the plugin does not know this form, which is code in the dissector");
  });

  test("without a framing: Decode As shows bytes, with the reason", () => {
    const made = withPlugin(toyDissector());
    const capture = made.file("words.pcap", saying(words("hello", "there")));
    expect(made.shown(capture, "toy")).toEqual([]);
    const [shown, ...more] = made.shown(capture, "toy", ["-d", "tcp.port==7000,toy.words"]);
    expect(more).toEqual([]);
    expect(shown && factOf(shown, "toy", "status")).toBe("unknown");
    expect(JSON.stringify(shown)).toContain("where messages begin is code in the dissector");
  });
});
