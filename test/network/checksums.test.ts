import { describe, expect, test } from "vitest";
import { readCapture } from "../../src/capture/reader.js";
import { Network } from "../../src/network/network.js";
import { TestNetwork } from "../support/network.js";
import {
  ethernet,
  ipFragments,
  ipv6Packet,
  numbers,
  tcpBytes,
  tcpPacket,
  text,
  udpPacket,
  vxlan,
} from "../support/packets.js";
import { listening, NetworkLog } from "../support/recording.js";
import { openSample, SAMPLES } from "../support/samples.js";
import { HELLO, V4, V6 } from "../support/tunnelled.js";

/** A copy with a 16-bit number at an offset. */
function withNumber(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const copy = bytes.slice();
  copy.set(numbers([2, value]), at);
  return copy;
}

function numberAt(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint16(at);
}

/** The notes on the checksums of packets. */
function notes(...packets: readonly Uint8Array[]): readonly string[] {
  return new TestNetwork({}, { checksums: true })
    .feed(...packets)
    .take()
    .filter((line) => line.includes("checksum"));
}

describe("checksums", () => {
  test("are not verified unless requested", () => {
    const damaged = withNumber(withNumber(tcpPacket(V4, HELLO), 10, 1), 36, 1);
    const network = new TestNetwork().feed(damaged);
    expect(network.take()[1]).toBe("0 c2s hello #1");
    expect(network.network.counts.checksums).toEqual(new Map());
  });

  test("that are right are not mentioned", () => {
    const ends = [V4, V6].flatMap((ends) => [
      tcpPacket(ends, HELLO),
      tcpPacket(ends, { ...HELLO, payload: text("even"), options: new Uint8Array(4) }),
      udpPacket(ends, text("odd")),
      udpPacket(ends, new Uint8Array(0)),
    ]);
    expect(notes(...ends)).toEqual([]);
    // UDP without a checksum, and with one that is 0 and therefore written as 0xffff.
    const zero = udpPacket(V4, new Uint8Array(2));
    const sum = numberAt(zero, 26);
    expect(notes(withNumber(zero, 26, 0), withNumber(withNumber(zero, 28, sum), 26, 0xffff))).toEqual([]);
    const padded = new TestNetwork({}, { checksums: true }).packet(
      ethernet(Uint8Array.of(...udpPacket(V4, text("x")), 1, 2, 3)),
      1,
    );
    expect(padded.network.counts.checksums.size).toBe(0);
  });

  test.each([
    ["IPv4", 10, tcpPacket(V4, HELLO)],
    ["TCP", 36, tcpPacket(V4, HELLO)],
    ["TCP", 56, tcpPacket(V6, HELLO)],
    ["UDP", 26, udpPacket(V4, text("hello"))],
    ["UDP", 46, udpPacket(V6, text("hello"))],
  ])("that are wrong are reported, and the packet is still used: %s at %i", (layer, at, packet) => {
    const right = numberAt(packet, at);
    const network = new TestNetwork({}, { checksums: true }).feed(withNumber(packet, at, 0x1234));
    const lines = network.take();
    expect(lines).toContain(`${layer} checksum 1234 not ${right.toString(16)} #1`);
    expect(lines.at(-1)).toMatch(/hello #1$/);
    expect(network.network.counts.checksums).toEqual(new Map([[layer, { wrong: 1, offloaded: 0 }]]));
  });

  test("left to the network card are distinguished", () => {
    const packet = tcpPacket(V4, HELLO);
    const right = numberAt(packet, 36).toString(16);
    // Addresses, protocol and length; then without the length, as for packets that are to be segmented.
    const partial = 0x0a00 + 0x0001 + 0x0a00 + 0x0002 + 6 + 25;
    expect(notes(withNumber(packet, 36, partial), withNumber(packet, 36, partial - 25))).toEqual([
      `TCP checksum ${partial.toString(16)} not ${right} offloaded #1`,
      `TCP checksum ${(partial - 25).toString(16)} not ${right} offloaded #2`,
    ]);
    expect(notes(withNumber(packet, 36, 0))).toEqual([`TCP checksum 0 not ${right} offloaded #1`]);
    expect(notes(withNumber(packet, 10, 0))).toEqual([expect.stringMatching(/^IPv4 checksum 0 not .* offloaded #1/)]);
    expect(notes(withNumber(udpPacket(V6, text("x")), 46, 0))).toEqual([expect.stringMatching(/^UDP .* offloaded #1/)]);
    const network = new TestNetwork({}, { checksums: true }).feed(withNumber(packet, 36, 0));
    expect(network.network.counts.checksums).toEqual(new Map([["TCP", { wrong: 0, offloaded: 1 }]]));
  });

  test("are passed on with the bytes", () => {
    const seen: unknown[] = [];
    const listener = listening({
      bytes: (_direction, _bytes, origin) => void seen.push(origin.checksums),
      datagram: (_direction, _bytes, _missing, origin) => void seen.push(origin.checksums),
    });
    const network = new Network({ opened: () => listener }, { checksums: true });
    const feed = (data: Uint8Array): void =>
      network.packet({ frame: 1, seconds: 0, nanoseconds: 0, linkType: 101, data, originalLength: data.length });
    feed(withNumber(withNumber(tcpPacket(V4, HELLO), 36, 1), 10, 2));
    feed(tcpPacket(V4, { ...HELLO, sequence: 105 }));
    feed(withNumber(udpPacket(V4, text("x")), 26, 3));
    expect(seen).toEqual([
      [expect.objectContaining({ layer: "IPv4", found: 2 }), expect.objectContaining({ layer: "TCP", found: 1 })],
      undefined,
      [expect.objectContaining({ layer: "UDP", found: 3 })],
    ]);
  });

  test("are verified in reassembled packets, and in tunnels", () => {
    const segment = withNumber(tcpBytes(V4, HELLO), 16, 0xabcd);
    const fragments = ipFragments(6, V4.source, V4.destination, segment, [16]);
    expect(notes(...fragments)).toEqual([expect.stringMatching(/^TCP checksum abcd/)]);
    expect(notes(...ipFragments(6, V4.source, V4.destination, tcpBytes(V4, HELLO), [16]))).toEqual([]);
    const inner = ethernet(withNumber(tcpPacket(V4, HELLO), 36, 0xabcd));
    expect(notes(udpPacket({ ...V6, destinationPort: 4789 }, vxlan(inner, 1)))).toEqual([
      expect.stringMatching(/^TCP checksum abcd/),
    ]);
  });

  test("are not verified unless everything they cover is present", () => {
    const damaged = withNumber(tcpPacket(V4, HELLO), 36, 1);
    const network = new TestNetwork({}, { checksums: true }).packet(damaged, 101, damaged.length - 1);
    expect(network.network.counts.checksums.size).toBe(0);
    // A routing header with one hop to go, which contains the destination that counts.
    const routing = numbers([1, 6], [1, 2], [1, 0], [1, 1], [4, 0], [4, 0], [4, 0], [4, 0], [4, 0]);
    const routed = ipv6Packet(43, V6.source, V6.destination, withNumber(tcpBytes(V6, HELLO), 16, 1), routing);
    expect(notes(routed)).toEqual([]);
  });

  test.each(SAMPLES)("of %s are right or left to the network card", async (name) => {
    const network = new Network(new NetworkLog(), { checksums: true });
    const packets = { packet: network.packet.bind(network), problem: () => {} };
    await readCapture(openSample(name), name, packets);
    // Recorded on the loopback interface, where hardly any are computed.
    expect([...network.counts.checksums.values()].filter(({ wrong }) => wrong > 0)).toEqual([]);
  });
});
