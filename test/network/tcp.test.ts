import { describe, expect, test } from "vitest";
import { TestNetwork } from "../support/network.js";
import { Flag, numbers, TcpTalk, text, udpPacket } from "../support/packets.js";

const CLIENT = ["10.0.0.1", 4000] as const;
const SERVER = ["10.0.0.2", 14617] as const;
const CONNECTED = "0 opened tcp 10.0.0.1:4000 > 10.0.0.2:14617 #1";

function talk(initial: readonly [number, number] = [1000, 5000], client: readonly [string, number] = CLIENT): TcpTalk {
  return new TcpTalk(client, SERVER, initial);
}

describe("how a connection opens", () => {
  test("with data in the SYN that the server accepts (fast open)", () => {
    const tcp = talk();
    const cookie = numbers([1, 34], [1, 10], [4, 1], [4, 2], [2, 0x0101]);
    const syn = tcp.raw(0, { flags: Flag.syn, payload: text("early "), options: cookie });
    tcp.syn(0, Flag.syn, text("early "));
    const network = new TestNetwork().feed(syn, tcp.syn(1, Flag.syn | Flag.ack), tcp.send(1, "answer"));
    expect(network.feed(tcp.send(0, "data")).take()).toEqual([
      CONNECTED,
      "0 c2s early  #1",
      "0 s2c answer #3",
      "0 c2s data #4",
    ]);
  });

  test("with data in the SYN that the server does not accept, and that is retransmitted", () => {
    const tcp = talk();
    const refused = tcp.raw(0, { flags: Flag.syn, payload: text("early ") });
    const network = new TestNetwork().feed(refused, ...tcp.handshake().slice(1), tcp.send(0, "early data"));
    expect(network.take()).toEqual([CONNECTED, "0 c2s early  #1", "0 c2s data #4"]);
  });

  test("with an acknowledgment of too much, after which the server repeats its SYN", () => {
    const tcp = talk();
    const opening = [tcp.syn(0), tcp.syn(1, Flag.syn | Flag.ack)];
    const tooMuch = tcp.raw(0, { flags: Flag.ack, acknowledgment: 999_999 });
    const network = new TestNetwork().feed(...opening, tooMuch, ...opening.slice(1));
    expect([...network.take(), ...network.end()].filter((line) => line.includes("gap"))).toEqual([]);
  });

  test("from both sides at once", () => {
    const tcp = talk();
    const [syn, otherSyn] = [tcp.syn(0), tcp.syn(1)];
    const answers = [
      tcp.raw(0, { flags: Flag.syn | Flag.ack, sequence: 1000 }),
      tcp.raw(1, { flags: Flag.syn | Flag.ack, sequence: 5000 }),
    ];
    const network = new TestNetwork().feed(syn, otherSyn, ...answers, tcp.send(0, "one"), tcp.send(1, "other"));
    expect(network.take()).toEqual([CONNECTED, "0 c2s one #5", "0 s2c other #6"]);
    expect(network.others).toEqual({});
  });

  test("with the server's SYN apart from its ACK (split handshake)", () => {
    const tcp = talk();
    const syn = tcp.syn(0);
    const ack = tcp.raw(1, { sequence: 5000 });
    const network = new TestNetwork().feed(
      syn,
      ack,
      tcp.syn(1),
      tcp.raw(0, { flags: Flag.syn | Flag.ack, sequence: 1000 }),
    );
    network.feed(tcp.ack(1), tcp.send(1, "welcome"), tcp.send(0, "thanks"));
    expect(network.take()).toEqual([CONNECTED, "0 s2c welcome #6", "0 c2s thanks #7"]);
  });

  test("with a request that is lost together with the server's SYN, and shows from the answer", () => {
    const tcp = talk();
    const network = new TestNetwork().feed(tcp.syn(0));
    tcp.syn(1, Flag.syn | Flag.ack);
    tcp.send(0, "request");
    network.feed(tcp.ack(1), tcp.send(1, "answer"));
    const lines = [...network.take(), ...network.end()];
    expect(lines).toEqual([CONNECTED, "0 s2c answer #3", "0 c2s gap 7 lost #3", "0 closed capture-end"]);
  });

  test("unseen, and neither side lacks anything", () => {
    const tcp = talk([0xffff_fff0, 0x7fff_fff0]);
    const network = new TestNetwork().feed(tcp.send(1, "from the middle on"), tcp.send(0, "likewise, and more"));
    expect(network.feed(tcp.ack(1), tcp.ack(0), tcp.fin(0), tcp.fin(1), tcp.ack(0)).take().slice(1)).toEqual([
      "0 c2s from the middle on #1",
      "0 s2c likewise, and more #2",
      "0 s2c finished",
      "0 c2s finished",
      "0 closed fin",
    ]);
  });
});

describe("a connection in use", () => {
  test("may have a zero window that is probed with the next byte", () => {
    const tcp = talk();
    const network = new TestNetwork().feed(...tcp.handshake(), tcp.send(0, "full"), tcp.ack(1));
    const probe = tcp.raw(0, { payload: text("n") });
    network.feed(probe, tcp.ack(1), probe, tcp.ack(1), tcp.send(0, "next"));
    expect(network.take()).toEqual([CONNECTED, "0 c2s full #4", "0 c2s n #6", "0 c2s ext #10"]);
  });

  test("has its urgent data in place", () => {
    const tcp = talk();
    const network = new TestNetwork().feed(...tcp.handshake(), tcp.send(0, "usual "));
    network.feed(tcp.send(0, "urgent", Flag.ack | 0x20), tcp.send(0, " usual"));
    expect(network.take()).toEqual([CONNECTED, "0 c2s usual  #4", "0 c2s urgent #5", "0 c2s  usual #6"]);
  });

  test("may be closed in one direction long before the other", () => {
    const tcp = talk();
    const network = new TestNetwork().feed(...tcp.handshake(), tcp.send(0, "ask"), tcp.fin(0), tcp.ack(1));
    network.feed(tcp.send(1, "long "), tcp.ack(0), tcp.send(1, "answer"), tcp.ack(0), tcp.fin(1), tcp.ack(0));
    expect(network.take()).toEqual([
      CONNECTED,
      "0 c2s ask #4",
      "0 c2s finished",
      "0 s2c long  #7",
      "0 s2c answer #9",
      "0 s2c finished",
      "0 closed fin",
    ]);
    expect(network.others).toEqual({});
  });
});

describe("an RST", () => {
  // What may come later is looked at in `contradicted.test.ts`.
  const AT_ONCE = { resetSeconds: 0 };
  const WRONG = { "TCP reset that does not fit its connection": 1 };

  test("with a sequence number far from the next one ends nothing", () => {
    const tcp = talk();
    const network = new TestNetwork(AT_ONCE).feed(...tcp.handshake(), tcp.send(0, "before "));
    network.feed(tcp.raw(0, { flags: Flag.rst, sequence: tcp.next(0) + 0x4000_0000 }), tcp.send(0, "after"));
    expect(network.take()).toEqual([CONNECTED, "0 c2s before  #4", "0 c2s after #6"]);
    expect(network.others).toEqual(WRONG);
    expect(network.feed(tcp.rst(1)).take()).toEqual(["0 closed rst"]);
  });

  test("ahead of the captured data is accepted once that has arrived", () => {
    const tcp = talk();
    const network = new TestNetwork(AT_ONCE).feed(...tcp.handshake());
    const late = tcp.send(1, "late");
    expect(network.feed(tcp.rst(1)).take()).toEqual([CONNECTED]);
    expect(network.feed(late).take()).toEqual(["0 s2c late #5", "0 closed rst"]);
    expect(network.others).toEqual({});
  });

  test("acknowledges what is recorded after it", () => {
    const tcp = talk();
    const network = new TestNetwork({ ...AT_ONCE, doubtSeconds: 9 }).feed(...tcp.handshake());
    const late = [tcp.send(0, "last "), tcp.send(0, "words")];
    expect(network.feed(tcp.rst(1), ...late.slice(0, 1)).take()).toEqual([CONNECTED, "0 c2s last  #5"]);
    expect(network.feed(...late.slice(1)).take()).toEqual(["0 c2s words #6", "0 closed rst"]);
    expect(network.others).toEqual({});
  });

  test("may acknowledge what is never recorded, which is waited for no longer than a second", () => {
    const tcp = talk();
    const network = new TestNetwork(AT_ONCE).feed(...tcp.handshake());
    tcp.send(0, "lost");
    const other = udpPacket(
      { source: "10.0.0.3", sourcePort: 1, destination: "10.0.0.4", destinationPort: 2 },
      text("x"),
    );
    expect(network.feed(tcp.rst(1)).take()).toEqual([CONNECTED]);
    expect(network.feed(other).take().slice(0, 2)).toEqual(["0 c2s gap 4 lost #4", "0 closed rst"]);
  });

  test.each([-4, -1, 1, 500, 100_000])("%i bytes from the next number ends nothing", (distance) => {
    const tcp = talk();
    const network = new TestNetwork(AT_ONCE).feed(...tcp.handshake(), tcp.send(0, "before "), tcp.ack(1));
    network.feed(tcp.raw(0, { flags: Flag.rst, sequence: tcp.next(0) + distance }), tcp.send(0, "after"), tcp.fin(0));
    network.feed(tcp.ack(1));
    expect(network.take()).toEqual([CONNECTED, "0 c2s before  #4", "0 c2s after #7", "0 c2s finished"]);
    expect(network.feed(tcp.rst(0)).take()).toEqual(["0 closed rst"]);
  });

  test("before captured but unacknowledged data is accepted: the receiver may not have that data", () => {
    const tcp = talk();
    const network = new TestNetwork(AT_ONCE).feed(...tcp.handshake(), tcp.send(0, "before "), tcp.ack(1));
    const sequence = tcp.next(0);
    network.feed(tcp.send(0, "lost on the way"), tcp.raw(0, { flags: Flag.rst, sequence }));
    expect(network.take().at(-1)).toBe("0 closed rst");
  });

  test("that refuses a SYN has to acknowledge it", () => {
    const tcp = talk();
    const refusal = { flags: Flag.rst | Flag.ack, sequence: 0 };
    const network = new TestNetwork(AT_ONCE).feed(tcp.syn(0), tcp.raw(1, { ...refusal, acknowledgment: 0x7000_0000 }));
    expect(network.take()).toEqual([CONNECTED]);
    expect(network.others).toEqual(WRONG);
    expect(network.feed(tcp.raw(1, refusal)).take()).toEqual(["0 closed rst"]);
  });

  test("that refuses a SYN may be followed by the same SYN, which is accepted", () => {
    const tcp = talk();
    const syn = tcp.syn(0);
    const network = new TestNetwork(AT_ONCE).feed(syn, tcp.raw(1, { flags: Flag.rst | Flag.ack, sequence: 0 }));
    network.feed(syn, tcp.syn(1, Flag.syn | Flag.ack), tcp.send(0, "at last"));
    const again = CONNECTED.replace("0", "1").replace("#1", "#3");
    expect(network.take()).toEqual([CONNECTED, "0 closed rst", again, "1 c2s at last #5"]);
    expect(network.others).toEqual({});
  });

  test("that acknowledges what cannot have been sent ends a connection that lacks nothing", () => {
    const tcp = talk();
    const network = new TestNetwork(AT_ONCE).feed(...tcp.handshake(), tcp.send(0, "data"), tcp.ack(1));
    network.feed(tcp.raw(1, { flags: Flag.rst | Flag.ack, acknowledgment: tcp.next(0) + 0x7000_0000 }));
    expect([...network.take(), ...network.end()]).toEqual([CONNECTED, "0 c2s data #4", "0 closed rst"]);
  });

  test.each([-50_000_000, -3_000_000, -1, 3, 3_000_000, 50_000_000])(
    "answers to an earlier connection that only the server remembers, %i bytes away",
    (distance) => {
      const old = talk();
      const network = new TestNetwork().feed(...old.handshake(), old.send(0, "before"), old.ack(1)).wait(10);
      expect(network.take()).toEqual([CONNECTED, "0 c2s before #4"]);
      const tcp = talk([old.next(0) - 1 - distance, 70_000]);
      const syn = tcp.syn(0);
      network.feed(syn, old.ack(1), tcp.raw(0, { flags: Flag.rst, sequence: old.next(0) })).wait(10);
      network.feed(syn, tcp.syn(1, Flag.syn | Flag.ack), tcp.ack(0), tcp.send(0, "after"), tcp.ack(1)).wait(10);
      const again = CONNECTED.replace("0", "1").replace("#1", "#6");
      // The server's answer to the SYN is about the earlier connection, and so is the RST that ends it.
      expect(network.take()).toEqual(["0 closed rst", again, "1 c2s after #12"]);
      expect(network.end()).toEqual(["1 closed capture-end"]);
      expect(network.others).toEqual({});
    },
  );

  test("may be all that is seen of a connection", () => {
    const tcp = talk();
    expect(new TestNetwork(AT_ONCE).feed(tcp.rst(1)).take()).toEqual([
      "0 opened tcp 10.0.0.2:14617? > 10.0.0.1:4000 #1",
      "0 closed rst",
    ]);
  });
});

describe("retransmitted bytes", () => {
  /** What is reported for a client's segments, given with their offsets. */
  function conflicts(...segments: readonly (readonly [offset: number, words: string])[]): readonly string[] {
    const tcp = talk();
    const network = new TestNetwork().feed(...tcp.handshake());
    for (const [offset, words] of segments) network.feed(tcp.raw(0, { sequence: 1001 + offset, payload: text(words) }));
    return network.take().slice(1);
  }

  test("are not mentioned if they are the same", () => {
    expect(conflicts([0, "abcdef"], [0, "abcdef"], [3, "defghi"], [12, "mn"], [11, "lmno"], [9, "jk"])).toEqual([
      "0 c2s abcdef #4",
      "0 c2s ghi #6",
      "0 c2s jk #9",
      "0 c2s l #8",
      "0 c2s mn #7",
      "0 c2s o #8",
    ]);
  });

  test("are reported if they differ, and the first copy counts", () => {
    expect(conflicts([0, "abcdef"], [2, "cDEfgh"])).toEqual(["0 c2s abcdef #4", "0 c2s conflict 2 #5", "0 c2s gh #5"]);
    // Waiting data is compared, too, and so is data from several segments.
    expect(conflicts([2, "cd"], [1, "bCDe"], [0, "a"])).toEqual([
      "0 c2s conflict 2 #5",
      "0 c2s a #6",
      "0 c2s b #5",
      "0 c2s cd #4",
      "0 c2s e #5",
    ]);
    expect(conflicts([0, "ab"], [2, "cd"], [4, "ef"], [0, "AbCdEf"]).at(-1)).toBe("0 c2s conflict 3 #7");
    expect(conflicts([4, "ef"], [0, "ABCDEF"])).toEqual(["0 c2s conflict 2 #5", "0 c2s ABCD #5", "0 c2s ef #4"]);
  });

  test("are not reported for a keep-alive, whose byte can be anything", () => {
    expect(conflicts([0, "abc"], [2, "\0"])).toEqual(["0 c2s abc #4"]);
  });

  test("are compared with what other conversations left of them in memory", () => {
    const one = talk();
    const two = talk([2000, 6000], ["10.0.0.1", 4001]);
    const network = new TestNetwork({ recentBytes: 10 }).feed(one.syn(0), two.syn(0));
    const again = { sequence: 1001, payload: text("ABCDEF") };
    network.feed(one.send(0, "abcdef"), two.send(0, "1234"), one.raw(0, again));
    network.feed(two.send(0, "56"), one.raw(0, again), two.send(0, "0123456789abcdef"), one.raw(0, again));
    expect(network.take().filter((line) => line.includes("conflict"))).toEqual([
      "0 c2s conflict 6 #5",
      "0 c2s conflict 4 #7",
    ]);
  });
});

describe("data cut by the snap length", () => {
  const cut = (network: TestNetwork, packet: Uint8Array, bytes: number): TestNetwork =>
    network.packet(packet, 101, packet.length - bytes);

  test("is filled by an uncut retransmission if that comes before the acknowledgment", () => {
    const tcp = talk();
    const network = new TestNetwork().feed(...tcp.handshake());
    const one = tcp.send(0, "one, two, ");
    cut(network, one, 4).feed(tcp.send(0, "three"), tcp.ack(1).slice(), one);
    // The acknowledgment came before the retransmission.
    expect(network.take().slice(1)).toEqual(["0 c2s one, t #4", "0 c2s gap 4 cut #4", "0 c2s three #5"]);

    const again = talk([70_000, 80_000], ["10.0.0.1", 4001]);
    const other = new TestNetwork().feed(...again.handshake());
    const two = again.send(0, "one, two, ");
    cut(other, two, 4).feed(again.send(0, "three"));
    expect(other.take().slice(1)).toEqual(["0 c2s one, t #4"]);
    expect(cut(other, two, 2).take()).toEqual(["0 c2s wo #6"]);
    expect(other.feed(two).take()).toEqual(["0 c2s ,  #7", "0 c2s three #5"]);
  });

  test("is a gap as soon as it is acknowledged, and at the latest at the end", () => {
    const tcp = talk();
    const network = new TestNetwork().feed(...tcp.handshake());
    cut(network, tcp.send(0, "question"), 3);
    expect(network.take().slice(1)).toEqual(["0 c2s quest #4"]);
    expect(network.feed(tcp.ack(1)).take()).toEqual(["0 c2s gap 3 cut #4"]);
    cut(network, tcp.send(0, "again"), 2);
    expect(network.take()).toEqual(["0 c2s aga #6"]);
    expect(network.end()).toEqual(["0 c2s gap 2 cut #6", "0 closed capture-end"]);
  });

  test("is not waited for if no acknowledgments are captured", () => {
    const tcp = talk();
    const network = cut(new TestNetwork(), tcp.send(0, "one side"), 5).feed(tcp.send(0, " alone"));
    expect(network.take().slice(1)).toEqual(["0 c2s one #1", "0 c2s gap 5 cut #1", "0 c2s  alone #2"]);
  });

  test("is distinguished from what was lost before and after it", () => {
    const tcp = talk();
    const network = new TestNetwork().feed(...tcp.handshake());
    tcp.send(0, "lost");
    cut(network, tcp.send(0, "cut here"), 5);
    tcp.send(0, "lost again");
    network.feed(tcp.send(0, "there"), tcp.ack(1), tcp.ack(0));
    expect(network.take().slice(1)).toEqual([
      "0 c2s gap 4 lost #4",
      "0 c2s cut #4",
      "0 c2s gap 5 cut #4",
      "0 c2s gap 10 lost #5",
      "0 c2s there #5",
    ]);
  });

  test("is not waited for beyond the limits, which is counted", () => {
    const tcp = talk();
    const network = new TestNetwork({ heldSegments: 2 }).feed(...tcp.handshake());
    cut(network, tcp.send(0, "cut"), 1).feed(tcp.send(0, "one"));
    expect(network.take().slice(1)).toEqual(["0 c2s cu #4"]);
    expect(network.feed(tcp.send(0, "two")).take()).toEqual(["0 c2s gap 1 cut #4", "0 c2s one #5", "0 c2s two #6"]);
    expect(network.network.counts.limits).toEqual(new Map([["heldSegments", 1]]));
  });
});

test("a keep-alive of a side that has sent nothing opens no other connection after the end of its own", () => {
  const tcp = talk();
  const network = new TestNetwork().feed(...tcp.handshake(), tcp.send(0, "ask"), tcp.ack(1));
  const keepAlive = tcp.raw(1, { sequence: tcp.next(1) - 1, payload: text("?") });
  network.feed(keepAlive, tcp.ack(0), tcp.fin(0), tcp.fin(1), tcp.ack(0), keepAlive);
  const lines = network.log.lines.concat(network.end());
  expect(lines.filter((line) => line.includes("opened"))).toEqual([CONNECTED]);
  expect(lines.filter((line) => line.includes("?"))).toEqual([]);
});

describe("what the capture has after an end that may not be one", () => {
  test.each([
    ["an RST", (tcp: TcpTalk) => tcp.rst(0)],
    ["a FIN", (tcp: TcpTalk) => tcp.raw(0, { flags: Flag.fin | Flag.ack })],
  ])("is not kept beyond the limits after %s, which is counted", (_, end) => {
    const tcp = talk();
    const segments = ["one", "two", "three"];
    const packets = [...tcp.handshake(), tcp.send(0, "before"), end(tcp), ...segments.map((word) => tcp.send(0, word))];
    const run = (heldSegments: number) => {
      const network = new TestNetwork({ heldSegments }).feed(...packets, tcp.ack(1));
      network.end();
      return network.network.counts;
    };
    expect(run(3).limits).toEqual(new Map());
    expect(run(3).unaccepted.bytes).toBe(0);
    expect(run(2).limits).toEqual(new Map([["heldSegments", 1]]));
    expect(run(2).unaccepted.bytes).toBe("three".length);
  });
});

describe("conversations that are silent", () => {
  test("are closed once others open, and are new ones if they continue", () => {
    const old = talk();
    const [one, two] = [2001, 2002].map((port) => talk([2000, 6000], ["10.0.0.1", port]));
    if (one === undefined || two === undefined) throw new Error("two were made");
    const network = new TestNetwork().feed(old.syn(0), old.send(0, "once")).wait(8000).feed(one.syn(0), two.syn(0));
    expect(network.take().slice(2)).toEqual([
      "1 opened tcp 10.0.0.1:2001 > 10.0.0.2:14617 #3",
      "0 closed idle",
      "2 opened tcp 10.0.0.1:2002 > 10.0.0.2:14617 #4",
    ]);
    expect(network.feed(old.send(0, "again")).take()[0]).toBe("3 opened tcp 10.0.0.1:4000? > 10.0.0.2:14617 #5");
    expect(network.network.counts.limits.size).toBe(0);
  });

  test("are not closed by one packet with a wrong date", () => {
    const [one, two] = [2001, 2002].map((port) => talk([2000, 6000], ["10.0.0.1", port]));
    if (one === undefined || two === undefined) throw new Error("two were made");
    const network = new TestNetwork().feed(one.syn(0)).wait(1e9).feed(two.syn(0)).wait(-1e9);
    network.feed(talk().syn(0), one.send(0, "still there"));
    expect(network.take().at(-1)).toBe("0 c2s still there #4");
  });

  test("of UDP are closed likewise; those that are not silent remain", () => {
    const ends = (port: number) => ({
      source: CLIENT[0],
      sourcePort: port,
      destination: SERVER[0],
      destinationPort: 5154,
    });
    const network = new TestNetwork().feed(udpPacket(ends(1), text("a")), udpPacket(ends(2), text("b"))).wait(7000);
    network.feed(udpPacket(ends(1), text("c"))).wait(7000);
    network.feed(udpPacket(ends(1), text("d")), udpPacket(ends(3), text("e")));
    expect(network.take().filter((line) => line.includes("closed"))).toEqual(["1 closed idle"]);
  });
});
