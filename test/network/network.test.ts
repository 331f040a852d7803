import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Conversation } from "../../src/network/conversation.js";
import { TrackedConversation } from "../../src/network/tracked-conversation.js";
import { TestNetwork } from "../support/network.js";
import { Flag, TcpTalk, tcpPacket, text, udpPacket } from "../support/packets.js";

const CLIENT = ["10.0.0.1", 4000] as const;
const SERVER = ["10.0.0.2", 14617] as const;
const CONNECTED = "0 opened tcp 10.0.0.1:4000 > 10.0.0.2:14617 #1";

function talk(initial: readonly [number, number] = [1000, 5000]): TcpTalk {
  return new TcpTalk(CLIENT, SERVER, initial);
}

describe("a TCP connection", () => {
  test("is opened, used, finished and closed", () => {
    const tcp = talk([0xffff_fffe, 0x7fff_ffff]);
    const network = new TestNetwork().feed(...tcp.handshake());
    network.feed(
      tcp.send(0, "question"),
      tcp.ack(1),
      tcp.send(1, "answer"),
      tcp.fin(0),
      tcp.fin(1, text("!")),
      tcp.ack(0),
    );
    expect(network.take()).toEqual([
      CONNECTED,
      "0 c2s question #4",
      "0 s2c answer #6",
      "0 c2s finished",
      "0 s2c ! #8",
      "0 s2c finished",
      "0 closed fin",
    ]);
    expect(network.end()).toEqual([]);
    expect(network.network.counts).toMatchObject({ packets: 9, tcp: 9, udp: 0, others: new Map() });
  });

  test("may bring data with its SYN", () => {
    const tcp = talk();
    const network = new TestNetwork().feed(tcp.syn(0, Flag.syn, text("early ")), tcp.syn(1, Flag.syn | Flag.ack));
    expect(network.feed(tcp.send(0, "data")).take()).toEqual([CONNECTED, "0 c2s early  #1", "0 c2s data #3"]);
  });

  test("may be captured from the middle", () => {
    const tcp = talk();
    const network = new TestNetwork().feed(tcp.ack(0), tcp.send(1, "from the server"), tcp.send(0, "and back"));
    expect(network.take()).toEqual([
      "0 opened tcp 10.0.0.1:4000? > 10.0.0.2:14617 #1",
      "0 s2c from the server #2",
      "0 c2s and back #3",
    ]);
    expect(network.end()).toEqual(["0 closed capture-end"]);
  });

  test("has its client from the SYN-ACK if the SYN is missing, and a gap for what was lost since", () => {
    const tcp = talk();
    const [, synAck] = tcp.handshake();
    const network = new TestNetwork().feed(synAck ?? new Uint8Array(0));
    tcp.send(0, "lost!");
    expect(network.feed(tcp.send(0, "data"), tcp.ack(1), tcp.ack(0)).take()).toEqual([
      CONNECTED,
      "0 c2s gap 5 lost #2",
      "0 c2s data #2",
    ]);
  });

  test("delivers a segment once that was recorded twice", () => {
    const tcp = talk();
    const packets = [...tcp.handshake(), tcp.send(0, "once"), tcp.ack(1), tcp.fin(0), tcp.fin(1), tcp.ack(0)];
    const network = new TestNetwork().feed(...packets.flatMap((packet) => [packet, packet]));
    expect(network.take()).toEqual([CONNECTED, "0 c2s once #7", "0 c2s finished", "0 s2c finished", "0 closed fin"]);
    expect(network.others).toEqual({});
  });

  test("ignores the byte of a keep-alive", () => {
    const tcp = talk();
    const network = new TestNetwork().feed(...tcp.handshake(), tcp.send(0, "abc"));
    const alive = { sequence: tcp.next(0) - 1, payload: Uint8Array.of(0) };
    network.feed(tcp.raw(0, alive), tcp.ack(1), tcp.raw(0, { sequence: tcp.next(0) - 1 }), tcp.send(0, "def"));
    expect(network.take()).toEqual([CONNECTED, "0 c2s abc #4", "0 c2s def #8"]);
  });

  test("has a gap where the capture lacks what the other side received", () => {
    const tcp = talk();
    const network = new TestNetwork().feed(...tcp.handshake());
    tcp.send(0, "lost");
    const after = tcp.send(0, "after");
    network.feed(after);
    expect(network.take()).toEqual([CONNECTED]);
    // It may be recorded after its acknowledgment, but not a second later.
    expect(network.feed(tcp.ack(1)).take()).toEqual([]);
    expect(network.feed(tcp.ack(0)).take()).toEqual(["0 c2s gap 4 lost #4", "0 c2s after #4"]);
  });

  test("delivers what is recorded after its acknowledgment, and has a gap for what is overdue", () => {
    const tcp = talk();
    const network = new TestNetwork({ doubtSeconds: 1000, doubtPackets: 3 }).feed(...tcp.handshake());
    const [early, lost, behind] = [tcp.send(0, "early "), tcp.send(0, "lost"), tcp.send(0, "behind")];
    network.feed(behind, tcp.ack(1), early);
    expect(network.take()).toEqual([CONNECTED, "0 c2s early  #6"]);
    expect(network.feed(tcp.ack(0)).take()).toEqual([]);
    expect(network.feed(tcp.ack(0)).take()).toEqual(["0 c2s gap 4 lost #4", "0 c2s behind #4"]);
    expect(network.feed(lost).take()).toEqual([]);
  });

  test("also has a gap for what was acknowledged while another gap was in doubt", () => {
    const tcp = talk();
    const network = new TestNetwork({ doubtSeconds: 1000, doubtPackets: 3 }).feed(...tcp.handshake());
    tcp.send(0, "lost");
    network.feed(tcp.send(0, "one"), tcp.ack(1));
    tcp.send(0, "lost too");
    network.feed(tcp.send(0, "two"), tcp.ack(1), tcp.ack(0), tcp.ack(0), tcp.ack(0), tcp.ack(0));
    expect(network.take().slice(1)).toEqual([
      "0 c2s gap 4 lost #4",
      "0 c2s one #4",
      "0 c2s gap 8 lost #6",
      "0 c2s two #6",
    ]);
  });

  test("is over a second after its FINs if something before them was lost", () => {
    const tcp = talk();
    const network = new TestNetwork().feed(...tcp.handshake());
    tcp.send(0, "lost");
    expect(network.feed(tcp.fin(0), tcp.fin(1), tcp.ack(0)).take()).toEqual([
      CONNECTED,
      "0 c2s gap 4 lost #4",
      "0 c2s finished",
      "0 s2c finished",
      "0 closed fin",
    ]);
  });

  test("reorders what arrives out of order", () => {
    const tcp = talk();
    const network = new TestNetwork().feed(...tcp.handshake());
    const [one, two, fin] = [tcp.send(0, "one "), tcp.send(0, "two"), tcp.fin(0)];
    expect(network.feed(fin, two, one, tcp.ack(1)).take().slice(1)).toEqual([
      "0 c2s one  #6",
      "0 c2s two #5",
      "0 c2s finished",
    ]);
  });

  test("ends with the capture: what waits is passed on", () => {
    const tcp = talk();
    const network = new TestNetwork().feed(...tcp.handshake());
    tcp.send(1, "lost");
    network.feed(tcp.send(1, "after"), tcp.fin(1)).take();
    expect(network.end()).toEqual(["0 s2c gap 4 lost #4", "0 s2c after #4", "0 s2c finished", "0 closed capture-end"]);
  });

  test("reports bytes at its end that only their acknowledgment shows", () => {
    const tcp = talk();
    const network = new TestNetwork().feed(...tcp.handshake());
    tcp.send(1, "never seen");
    network.feed(tcp.ack(0)).take();
    expect(network.end()).toEqual(["0 s2c gap 10 lost #4", "0 closed capture-end"]);
  });

  test("is over with an RST, whose text is not data, after what waits", () => {
    const tcp = talk();
    const network = new TestNetwork({ resetSeconds: 0 }).feed(...tcp.handshake());
    tcp.send(1, "lost");
    network.feed(tcp.send(1, "waits"), tcp.rst(1, text("go away")));
    // Waiting data is given a second: what precedes it may be recorded after the RST.
    expect(network.take()).toEqual([CONNECTED]);
    // Already in transit when the connection was reset.
    const late = [tcp.send(0, "too late"), tcp.rst(1)];
    expect(network.feed(...late).take()).toEqual(["0 s2c gap 4 lost #4", "0 s2c waits #4", "0 closed rst"]);
    expect(network.others).toEqual({ "TCP data after the end of its connection": 1 });
  });
});

describe("a reused port pair", () => {
  const AGAIN = "1 opened tcp 10.0.0.1:4000 > 10.0.0.2:14617";

  test("after FINs is another conversation", () => {
    const first = talk();
    const second = talk([700_000, 800_000]);
    const network = new TestNetwork().feed(...first.handshake(), first.fin(0), first.fin(1), first.ack(0));
    network.feed(...second.handshake(), second.send(0, "anew"));
    expect(network.take().slice(3)).toEqual(["0 closed fin", `${AGAIN} #7`, "1 c2s anew #10"]);
  });

  test("after an RST is another conversation", () => {
    const first = talk();
    const second = talk([700_000, 800_000]);
    const network = new TestNetwork().feed(first.syn(0), first.rst(1), ...second.handshake());
    expect(network.take()).toEqual([CONNECTED, "0 closed rst", `${AGAIN} #3`]);
  });

  test("while still open closes the previous conversation", () => {
    const first = talk();
    const second = talk([700_000, 800_000]);
    const network = new TestNetwork().feed(...first.handshake());
    first.send(0, "lost");
    network.feed(first.send(0, "waits"), ...second.handshake(), second.send(1, "anew"));
    expect(network.take()).toEqual([
      CONNECTED,
      "0 c2s gap 4 lost #4",
      "0 c2s waits #4",
      "0 closed reused",
      `${AGAIN} #5`,
      "1 s2c anew #8",
    ]);
  });

  test("is detected by the SYN-ACK if the SYN is missing", () => {
    const first = talk();
    const second = talk([700_000, 800_000]);
    const [, synAck = new Uint8Array(0)] = second.handshake();
    const network = new TestNetwork().feed(...first.handshake(), first.send(1, "old"), synAck);
    // Not before it is answered.
    expect(network.take().slice(2)).toEqual([]);
    expect(network.feed(second.ack(0)).take()).toEqual(["0 closed reused", `${AGAIN} #5`]);
  });

  test("is detected by the SYN-ACK even if only the client was seen before", () => {
    const first = talk();
    const second = talk([700_000, 800_000]);
    const [, synAck = new Uint8Array(0)] = second.handshake();
    const network = new TestNetwork().feed(first.send(0, "old"), synAck, second.send(0, "new"));
    expect(network.take().slice(2)).toEqual(["0 closed reused", `${AGAIN} #2`, "1 c2s new #3"]);
  });

  test("is distinguished from data that was in transit when the connection was reset", () => {
    const first = talk();
    const far = talk([1000 + 20_000_000, 5000]);
    const network = new TestNetwork({ resetSeconds: 0 }).feed(...first.handshake(), first.rst(1));
    first.send(0, "lost");
    network.feed(first.send(0, "late"));
    expect(network.take()).toEqual([CONNECTED, "0 closed rst"]);
    expect(network.feed(far.send(0, "anew")).take()).toEqual([
      "1 opened tcp 10.0.0.1:4000? > 10.0.0.2:14617 #6",
      "1 c2s anew #6",
    ]);
  });

  test("is detected by data that acknowledges what the server had not sent before it was reset", () => {
    const first = talk();
    // Linux increases the initial sequence numbers of connections between the same ports by 15 million a second.
    const second = talk([1000 + 5_000_000, 5000 + 5_000_000]);
    const network = new TestNetwork().feed(...first.handshake(), first.send(0, "old"), first.rst(1));
    const open = "1 opened tcp 10.0.0.1:4000? > 10.0.0.2:14617";
    expect(network.feed(second.send(0, "anew")).take().slice(2)).toEqual([
      "0 closed rst",
      `${open} #6`,
      "1 c2s anew #6",
    ]);
    expect(network.feed(second.send(1, "answer")).take()).toEqual(["1 s2c answer #7"]);
  });

  test("is detected by data that does not fit if the whole handshake is missing", () => {
    const first = talk();
    const second = talk([700_000, 800_000]);
    const network = new TestNetwork().feed(...first.handshake(), first.fin(0), first.fin(1), first.ack(0));
    const open = "1 opened tcp 10.0.0.1:4000? > 10.0.0.2:14617";
    expect(network.feed(second.send(0, "anew")).take().slice(4)).toEqual([`${open} #7`, "1 c2s anew #7"]);
  });

  test("may swap its roles", () => {
    const first = talk();
    const second = new TcpTalk(SERVER, CLIENT, [700_000, 800_000]);
    const network = new TestNetwork().feed(first.syn(0), first.rst(1), second.syn(0));
    expect(network.take().at(-1)).toBe("1 opened tcp 10.0.0.2:14617 > 10.0.0.1:4000 #3");
  });

  test("is not assumed if a SYN is repeated", () => {
    const tcp = talk();
    const syn = tcp.syn(0);
    const synAck = tcp.syn(1, Flag.syn | Flag.ack);
    const network = new TestNetwork().feed(syn, syn, synAck, syn, synAck, tcp.send(0, "data"), syn, synAck);
    expect(network.take()).toEqual([CONNECTED, "0 c2s data #6"]);
  });

  test("is not assumed if a SYN is captured after the connection that it opens", () => {
    const tcp = talk();
    const [syn, synAck, ack] = [tcp.syn(0), tcp.syn(1, Flag.syn | Flag.ack), tcp.ack(0)];
    const network = new TestNetwork().feed(synAck, syn, ack, tcp.send(0, "data"));
    expect(network.take()).toEqual([CONNECTED, "0 c2s data #4"]);
    const late = new TestNetwork().feed(tcp.raw(0, { sequence: 1001, payload: text("data") }), syn);
    expect(late.take()).toEqual(["0 opened tcp 10.0.0.1:4000? > 10.0.0.2:14617 #1", "0 c2s data #1"]);
  });

  test("is not assumed if a server with SYN cookies changes its mind", () => {
    const tcp = talk();
    const other = talk([1000, 9000]);
    other.syn(0);
    const network = new TestNetwork().feed(tcp.syn(0), tcp.syn(1, Flag.syn | Flag.ack));
    network.feed(other.syn(1, Flag.syn | Flag.ack), other.send(1, "data"));
    expect(network.take()).toEqual([CONNECTED, "0 s2c data #4"]);
  });

  test("is not assumed if both sides open at once", () => {
    const tcp = talk();
    const network = new TestNetwork().feed(tcp.syn(0), tcp.syn(1), tcp.send(0, "data"));
    expect(network.take()).toEqual([CONNECTED, "0 c2s data #3"]);
  });
});

describe("conversations", () => {
  test("are numbered in the order of their first packets, TCP and UDP together", () => {
    const one = talk();
    const two = new TcpTalk(["10.0.0.1", 4001], SERVER, [1, 1]);
    const six = new TcpTalk(["::1", 4000], ["::2", 14617], [1, 1]);
    const udp = { source: "10.0.0.1", sourcePort: 4000, destination: "10.0.0.2", destinationPort: 14617 };
    const network = new TestNetwork().feed(one.syn(0), udpPacket(udp, text("x")), two.syn(0), six.syn(0), one.syn(1));
    network.feed(six.send(0, "six"), two.send(0, "two"), one.send(0, "one"));
    expect(network.take()).toEqual([
      CONNECTED,
      "1 opened udp 10.0.0.1:4000? > 10.0.0.2:14617 #2",
      "1 c2s datagram x #2",
      "2 opened tcp 10.0.0.1:4001 > 10.0.0.2:14617 #3",
      "3 opened tcp [::1]:4000 > [::2]:14617 #4",
      "3 c2s six #6",
      "2 c2s two #7",
      "0 c2s one #8",
    ]);
    expect(network.end()).toEqual([0, 1, 2, 3].map((stream) => `${stream} closed capture-end`));
  });

  test("are found among many", () => {
    const talks = Array.from({ length: 2000 }, (_, index) => new TcpTalk(["10.0.0.1", 1000 + index], SERVER, [1, 1]));
    const network = new TestNetwork().feed(...talks.map((tcp) => tcp.syn(0)));
    network.take();
    network.feed(...talks.map((tcp, index) => tcp.send(0, `${index}`)));
    expect(network.take()).toEqual(talks.map((_, index) => `${index} c2s ${index} #${2001 + index}`));
  });

  test("are dropped if there are too many, starting with the one that has been silent longest", () => {
    const [one, two, three] = [4000, 4001, 4002].map((port) => new TcpTalk(["10.0.0.1", port], SERVER, [1, 1]));
    if (one === undefined || two === undefined || three === undefined) throw new Error("three were made");
    const network = new TestNetwork({ conversations: 2 }).feed(one.syn(0), two.syn(0), one.send(0, "active"));
    network.take();
    expect(network.feed(three.syn(0), one.send(0, "still")).take()).toEqual([
      "1 closed idle",
      "2 opened tcp 10.0.0.1:4002 > 10.0.0.2:14617 #4",
      "0 c2s still #5",
    ]);
  });

  test("are not dropped for others if they are closed", () => {
    const [one, two, three] = [4000, 4001, 4002].map((port) => new TcpTalk(["10.0.0.1", port], SERVER, [1, 1]));
    if (one === undefined || two === undefined || three === undefined) throw new Error("three were made");
    const network = new TestNetwork({ conversations: 2 }).feed(one.syn(0), one.rst(1), two.syn(0), three.syn(0));
    expect(network.take().filter((line) => line.includes("closed"))).toEqual(["0 closed rst"]);
    expect(network.network.counts.limits).toEqual(new Map());
    expect(network.feed(two.send(0, "still")).take()).toEqual(["1 c2s still #5"]);
  });

  test("were ended by the side that has reset them first, even if its last bytes are still missing", () => {
    const tcp = talk();
    const network = new TestNetwork();
    const conversation = firstConversation(network);
    network.feed(...tcp.handshake());
    tcp.send(1, "lost");
    network.feed(tcp.send(1, "waits"), tcp.rst(1)).wait(-1).feed(tcp.rst(0)).end();
    expect(conversation().endedBy).toBe("s2c");
  });

  function firstConversation(network: TestNetwork): () => TrackedConversation {
    let found: Conversation | undefined;
    const opened = network.log.opened.bind(network.log);
    network.log.opened = (conversation, origin) => {
      found ??= conversation;
      return opened(conversation, origin);
    };
    return () => {
      if (found instanceof TrackedConversation) return found;
      throw new Error("there is no conversation");
    };
  }

  test("count their packets and know when they began and ended", () => {
    const network = new TestNetwork();
    const conversation = firstConversation(network);
    const tcp = talk();
    network.feed(...tcp.handshake(), tcp.send(0, "x"), tcp.ack(1), tcp.rst(1), tcp.ack(1));
    expect(conversation().packets).toEqual({ c2s: 3, s2c: 4 });
    expect(conversation().first).toEqual({ frame: 1, seconds: 1, nanoseconds: 0 });
    expect(conversation().last).toEqual({ frame: 7, seconds: 7, nanoseconds: 0 });
  });

  test("may change their labels, but not their ends", () => {
    const network = new TestNetwork();
    const conversation = firstConversation(network);
    const tcp = talk();
    network.feed(tcp.send(0, "first"), tcp.ack(1));
    conversation().flip("content");
    network.feed(tcp.send(0, "second"), tcp.send(1, "third"), tcp.fin(0), tcp.ack(1));
    expect(network.take().slice(1)).toEqual(["0 c2s first #1", "0 s2c second #3", "0 c2s third #4", "0 s2c finished"]);
    expect(conversation().client).toEqual({ address: "10.0.0.2", port: 14617 });
    expect(conversation().server).toEqual({ address: "10.0.0.1", port: 4000 });
    expect(conversation().packets).toEqual({ c2s: 3, s2c: 3 });
  });

  test("may change their labels while their first bytes are passed on", () => {
    const network = new TestNetwork();
    const conversation = firstConversation(network);
    const opened = network.log.opened.bind(network.log);
    network.log.opened = (...call) => {
      const listener = opened(...call);
      const bytes: typeof listener.bytes = (...brought) => {
        if (conversation().client.port === 4000) conversation().flip("content");
        listener.bytes(...brought);
      };
      return { ...listener, bytes };
    };
    const tcp = talk();
    network.feed(tcp.send(0, "first"), tcp.send(0, "second"));
    expect(network.take().slice(1)).toEqual(["0 c2s first #1", "0 s2c second #2"]);
  });
});

test("any segments in any order result in conversations that open once, close once and are silent outside", () => {
  const segment = fc.record({
    client: fc.boolean(),
    port: fc.constantFrom(4000, 4001),
    flags: fc.constantFrom(Flag.ack, Flag.ack, Flag.ack, Flag.syn, Flag.syn | Flag.ack, Flag.fin | Flag.ack, Flag.rst),
    sequence: fc.oneof(fc.nat(30), fc.integer({ min: 0x7fff_fff0, max: 0x8000_000f }), fc.nat(0xffff_ffff)),
    acknowledgment: fc.oneof(fc.nat(40), fc.nat(0xffff_ffff)),
    length: fc.constantFrom(0, 0, 1, 7),
    snapLength: fc.constantFrom(1000, 1000, 43),
  });
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 60 }), (segments) => {
      const network = new TestNetwork({ conversations: 3, heldSegments: 3, heldBytes: 1500 });
      for (const { client, port, length, snapLength, ...fields } of segments) {
        const ends = client
          ? { source: "10.0.0.1", sourcePort: port, destination: "10.0.0.2", destinationPort: 14617 }
          : { source: "10.0.0.2", sourcePort: 14617, destination: "10.0.0.1", destinationPort: port };
        network.packet(tcpPacket(ends, { ...fields, payload: text("payload".slice(0, length)) }), 101, snapLength);
      }
      const state = new Map<string, string>();
      const finished = new Set<string>();
      for (const line of network.log.lines.concat(network.end())) {
        const [stream = "", what = "", more = ""] = line.split(" ");
        expect([line, state.get(stream)]).toEqual([line, what === "opened" ? undefined : "open"]);
        state.set(stream, what === "closed" ? "closed" : "open");
        if (what !== "opened" && what !== "closed") {
          expect([line, finished.has(`${stream} ${what}`)]).toEqual([line, false]);
          if (more === "finished") finished.add(`${stream} ${what}`);
        }
      }
      expect([...state.values()].every((last) => last === "closed")).toBe(true);
    }),
    { numRuns: 300 },
  );
});
