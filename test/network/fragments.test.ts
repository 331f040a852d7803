import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TestNetwork } from "../support/network.js";
import {
  concat,
  type Ends,
  ethernet,
  ipFragments,
  ipv4Packet,
  ipv6Packet,
  numbers,
  tcpBytes,
  text,
  udpBytes,
} from "../support/packets.js";

const ENDS = {
  IPv4: { source: "10.0.0.1", sourcePort: 4000, destination: "10.0.0.2", destinationPort: 14617 },
  IPv6: { source: "2001:db8::1", sourcePort: 4000, destination: "2001:db8::2", destinationPort: 14617 },
} as const;
const VERSIONS = ["IPv4", "IPv6"] as const;
const WORDS = "forty bytes of text, for five fragments.";

function fragmentsOf(ends: Ends, words: string, lengths: readonly number[], identification = 7): Uint8Array[] {
  return ipFragments(17, ends.source, ends.destination, udpBytes(ends, text(words)), lengths, identification);
}

describe.each(VERSIONS)("fragments of %s", (version) => {
  const ends: Ends = ENDS[version];
  const opened = `0 opened udp ${version === "IPv4" ? "10.0.0.1" : "[2001:db8::1]"}:4000? > `;
  const [one, two, three, four] = fragmentsOf(ends, WORDS, [8, 16, 16]);
  if (one === undefined || two === undefined || three === undefined || four === undefined) throw new Error("four");
  const whole = (frame: number): readonly string[] => [
    expect.stringContaining(opened),
    `0 c2s datagram ${WORDS} #${frame}`,
  ];

  test.each([
    ["in order", [one, two, three, four]],
    ["backwards", [four, three, two, one]],
    ["reordered and repeated", [three, one, three, four, one, two]],
  ])("make a packet: %s", (_name, packets) => {
    const network = new TestNetwork().feed(...packets);
    expect(network.take()).toEqual(whole(packets.length));
    network.end();
    expect(network.others).toEqual({ [`${version} fragment, reassembled in another frame`]: packets.length - 1 });
    expect(network.network.counts).toMatchObject({ packets: packets.length, udp: 1 });
  });

  test("of two packets do not mix", () => {
    const other = fragmentsOf(ends, "another text of just the same length, ok", [8, 16, 16], 8);
    const network = new TestNetwork().feed(one, ...other.slice(0, 2), two, ...other.slice(2), three, four);
    expect(network.take().slice(1)).toEqual([
      "0 c2s datagram another text of just the same length, ok #6",
      `0 c2s datagram ${WORDS} #8`,
    ]);
  });

  test("in two VLANs do not mix", () => {
    const network = new TestNetwork();
    for (const [packet, vlan] of [
      [one, 1],
      [two, 2],
      [three, 1],
      [four, 1],
    ] as const) {
      network.packet(ethernet(packet, [0x8100], undefined, vlan), 1);
    }
    network.end();
    expect(network.others).toEqual({ [`${version} fragment without the rest of its packet`]: 4 });
  });

  test("keep the first copy where they overlap", () => {
    /** One of the three fragments of a segment filled with one letter. */
    const part = (letter: string, index: number, start: number, end: number): Uint8Array => {
      const segment = tcpBytes(ends, { sequence: 1, payload: text(letter.repeat(24)) });
      const all = ipFragments(6, ends.source, ends.destination, segment, [start, end - start]);
      return all[index] ?? new Uint8Array(0);
    };
    // The text begins at 20. The second fragment begins inside the first one, and the third inside the second.
    const packets = [part("a", 0, 24, 40), part("b", 1, 16, 40), part("c", 2, 8, 32)];
    expect(new TestNetwork().feed(...packets).take()[1]).toBe(`0 c2s aaaa${"b".repeat(16)}cccc #3`);
    expect(new TestNetwork().feed(...packets.reverse()).take()[1]).toBe(`0 c2s ${"b".repeat(12)}${"c".repeat(12)} #3`);
  });

  test("are given up after a time", () => {
    const network = new TestNetwork().feed(one, two).wait(100).feed(three, four);
    expect(network.take()).toEqual([]);
    expect(network.others).toEqual({ [`${version} fragment without the rest of its packet`]: 2 });
    network.end();
    expect(network.others).toEqual({ [`${version} fragment without the rest of its packet`]: 4 });
  });

  test("are given up if too many packets or bytes of them wait", () => {
    for (const limits of [{ fragmentedPackets: 2 }, { fragmentBytes: 2 * 2048 }]) {
      const network = new TestNetwork(limits);
      for (const id of [1, 2, 3]) network.feed(...fragmentsOf(ends, WORDS, [8], id).slice(0, 1));
      for (const id of [2, 3, 1]) network.feed(...fragmentsOf(ends, WORDS, [8], id).slice(1));
      const lines = network.take();
      network.end();
      expect(lines.filter((line) => line.includes("datagram"))).toEqual(
        [4, 5].map((frame) => `0 c2s datagram ${WORDS} #${frame}`),
      );
      expect(network.others).toMatchObject({ [`${version} fragment without the rest of its packet`]: 2 });
    }
  });

  test("make room by giving up others, even if theirs is the oldest packet", () => {
    const long = "a".repeat(3000);
    const [begin, middle, end] = fragmentsOf(ends, long, [8, 2400], 1);
    const [other] = fragmentsOf(ends, WORDS, [8], 2);
    if (begin === undefined || middle === undefined || end === undefined || other === undefined)
      throw new Error("four");
    const network = new TestNetwork({ fragmentBytes: 2 * 2048 }).feed(begin, other, middle, end);
    expect(network.take()[1]).toBe(`0 c2s datagram ${long} #4`);
    expect(network.others).toMatchObject({ [`${version} fragment without the rest of its packet`]: 1 });
  });

  test("cut by the snap length make a cut packet", () => {
    const header = version === "IPv4" ? 20 : 48;
    const cutIn = (packets: readonly Uint8Array[], index: number): TestNetwork => {
      const network = new TestNetwork();
      packets.forEach((packet, at) => {
        network.packet(packet, 101, at === index ? header + 5 : packet.length);
      });
      return network;
    };
    expect(cutIn([one, two, three, four], 3).take()[1]).toBe(`0 c2s datagram ${WORDS.slice(0, 37)} -3 #4`);
    expect(cutIn([one, two, three, four], 1).take()[1]).toBe(`0 c2s datagram ${WORDS.slice(0, 5)} -35 #4`);
    expect(cutIn([four, two, three, one], 3).others).toMatchObject({ "UDP header cut by the snap length": 1 });
  });

  test("that are impossible are counted", () => {
    const make = (offset: number, hasMore: boolean, length: number): Uint8Array => {
      const data = new Uint8Array(length);
      if (version === "IPv4") {
        const fragment = (hasMore ? 0x2000 : 0) | (offset / 8);
        return ipv4Packet(17, ends.source, ends.destination, data, { fragment });
      }
      const header = numbers([1, 17], [1, 0], [2, offset | (hasMore ? 1 : 0)], [4, 1]);
      return ipv6Packet(44, ends.source, ends.destination, data, header);
    };
    const malformed = { [`malformed ${version} fragment`]: 1 };
    // Not a multiple of 8; empty; longer than any packet.
    for (const packet of [make(0, true, 12), make(8, false, 0), make(65_528, false, 8)]) {
      expect(new TestNetwork().feed(packet).others).toEqual(malformed);
    }
    // Two ends; an end before the data; data after the end.
    expect(new TestNetwork().feed(make(16, false, 8), make(24, false, 8)).others).toEqual(malformed);
    expect(new TestNetwork().feed(make(16, true, 16), make(8, false, 8)).others).toEqual(malformed);
    expect(new TestNetwork().feed(make(16, false, 8), make(24, true, 8)).others).toEqual(malformed);
  });

  test("that overlap may be cut by the snap length before their new bytes", () => {
    const bytes = udpBytes(ends, text("0123456789".repeat(600)));
    const [long, rest] = ipFragments(17, ends.source, ends.destination, bytes, [4800]);
    const [, middle] = ipFragments(17, ends.source, ends.destination, bytes, [3200, 2400]);
    if (long === undefined || middle === undefined || rest === undefined) throw new Error("three");
    const network = new TestNetwork();
    for (const packet of [long, middle, rest]) network.packet(packet, 101, 100);
    expect(network.take()[1]).toMatch(/^0 c2s datagram (0123456789)+\d* -\d+ #3$/);
  });

  test("make the same packet however they are split, repeated and reordered", () => {
    const words = "0123456789".repeat(30);
    const bytes = udpBytes(ends, text(words));
    const cuts = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 12 });
    const order = fc.array(fc.nat(), { maxLength: 10 });
    fc.assert(
      fc.property(cuts, cuts, order, (first, second, swaps) => {
        const cutUp = (lengths: readonly number[]) =>
          ipFragments(
            17,
            ends.source,
            ends.destination,
            bytes,
            lengths.map((length) => length * 8),
          );
        const packets = [...cutUp(first), ...cutUp(second)];
        for (const [index, swap] of swaps.entries()) {
          const [from, to] = [index % packets.length, swap % packets.length];
          [packets[from], packets[to]] = [packets[to] ?? bytes, packets[from] ?? bytes];
        }
        const network = new TestNetwork().feed(...packets);
        const lines = network.take().filter((line) => line.includes("datagram"));
        expect(lines.length).toBeGreaterThan(0);
        for (const line of lines) expect(line).toContain(`datagram ${words} #`);
      }),
      { seed: 1 },
    );
  });
});

test("a fragmented payload may begin with further extension headers, and with fragments", () => {
  const ends: Ends = ENDS.IPv6;
  const segment = tcpBytes(ends, { sequence: 1, payload: text("hello") });
  const destinationOptions = concat(numbers([1, 6], [1, 0]), new Uint8Array(6));
  const options = ipFragments(60, ends.source, ends.destination, concat(destinationOptions, segment), [16]);
  expect(new TestNetwork().feed(...options).take()[1]).toBe("0 c2s hello #2");

  const cut = ipFragments(60, ends.source, ends.destination, concat(numbers([1, 6], [1, 9]), segment), [16]);
  expect(new TestNetwork().feed(...cut).others).toMatchObject({ "malformed IPv6 header": 1 });

  const inner = ipFragments(6, ends.source, ends.destination, segment, [16], 99).map((packet) => packet.subarray(40));
  const nested = inner.flatMap((packet, index) => ipFragments(44, ends.source, ends.destination, packet, [8], index));
  expect(new TestNetwork().feed(...nested).take()[1]).toBe("0 c2s hello #4");
});
