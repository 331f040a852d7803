import { describe, expect, test } from "vitest";
import { TestNetwork } from "../support/network.js";
import { Flag, TcpTalk } from "../support/packets.js";
import {
  CLIENT,
  type Difference,
  ENDS,
  foreign,
  INITIAL,
  KINDS,
  packetsOf,
  present,
  renumbered,
  SERVER,
} from "./contradicted-kinds.js";

/** The segments of a connection that its other end did not accept, and what follows them. */

/** What each direction of each conversation delivered, and how the conversations ended. */
function outcome(packets: readonly Uint8Array[]): Record<string, string> {
  const lines = new TestNetwork().feed(...packets);
  const said: Record<string, string> = {};
  const frames = / #\d+$/;
  for (const line of [...lines.take(), ...lines.end()]) {
    const [, key = "", what = ""] = /^(\d+ (?:c2s|s2c|closed)) (.*)$/.exec(line) ?? [];
    if (key !== "") said[key] = (said[key] ?? "") + what.replace(frames, "");
  }
  return said;
}

const RIGHT = {
  "0 c2s": "ask1 ask2 ask3 finished",
  "0 s2c": "answer1 answer2 answer3 finished",
  "0 closed": "fin",
};

describe.each(KINDS)("$name", (kind) => {
  test.each(ENDS)("changes nothing between %s and %s", (...ends) => {
    expect(outcome(packetsOf(kind, ends))).toEqual(RIGHT);
  });

  test("changes nothing where every packet is recorded twice", () => {
    const packets = packetsOf(kind, [CLIENT, SERVER]);
    expect(outcome(packets.flatMap((packet) => [packet, packet]))).toEqual(RIGHT);
  });

  test("loses nothing without a mark if a packet after it is lost", () => {
    const packets = packetsOf(kind, [CLIENT, SERVER]);
    for (let lost = packets.length - 9; lost < packets.length; lost++) {
      const said = outcome(packets.filter((_, index) => index !== lost));
      for (const [direction, whole] of [
        ["0 c2s", "ask1 ask2 ask3 "],
        ["0 s2c", "answer1 answer2 answer3 "],
      ] as const) {
        const found = (said[direction] ?? "").replace("finished", "");
        const unmarked = found.replace(/gap (\d+) lost/g, (_all, length: string) => ".".repeat(Number(length)));
        const isRight = new RegExp(`^${unmarked.replace(/ /g, "[ ]")}$`).test(whole.slice(0, unmarked.length));
        expect([lost, direction, found, isRight]).toEqual([lost, direction, found, true]);
        // Only what nobody has acknowledged may be absent without a gap.
        const most = lost >= packets.length - 3 ? 8 : 0;
        expect([lost, said, whole.length - unmarked.length <= most]).toEqual([lost, said, true]);
      }
    }
  });
});

test("a SYN whose number was damaged in the recording is a connection of its own, and nothing of the real one is lost", () => {
  const difference: Difference = {
    handshake: (_tcp, [syn, synAck, ack]) => present([syn && renumbered(syn, 310_914_028), synAck, ack]),
  };
  expect(outcome(packetsOf(difference, [CLIENT, SERVER]))).toEqual({
    "0 closed": "reused",
    "1 c2s": RIGHT["0 c2s"],
    "1 s2c": RIGHT["0 s2c"],
    "1 closed": RIGHT["0 closed"],
  });
});

describe.each([1, 33, 3000])("a FIN %i bytes ahead that both ends ignore", (ahead) => {
  // RFC 9293, 3.10.7.4 (eighth check)
  const difference = (side: 0 | 1): Difference => ({
    between: (tcp) => [tcp.raw(side, { sequence: tcp.next(side) + ahead, flags: Flag.fin | Flag.ack })],
  });

  test.each([0, 1] as const)("changes nothing: of side %i", (side) => {
    for (const ends of ENDS) {
      const packets = packetsOf(difference(side), ends);
      expect(outcome(packets)).toEqual(RIGHT);
      expect(outcome(packets.flatMap((packet) => [packet, packet]))).toEqual(RIGHT);
    }
  });
});

test("a FIN that both ends ignore does not hide the real one, which was captured too early", () => {
  const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
  const packets = [...tcp.handshake(), tcp.send(0, "ask1 "), tcp.ack(1)];
  const forged = tcp.raw(0, { flags: Flag.fin | Flag.ack });
  const [data, fin] = [tcp.send(0, "ask2 "), tcp.fin(0)];
  packets.push(fin, forged, data, tcp.ack(1), tcp.fin(1), tcp.ack(0));
  expect(outcome(packets)).toEqual({ "0 c2s": "ask1 ask2 finished", "0 s2c": "finished", "0 closed": "fin" });
});

describe("data with the flag of an RST", () => {
  test.each([0, 1] as const)("of side %i is a gap if it is acknowledged", (side) => {
    const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
    const other = side === 0 ? 1 : 0;
    const packets = [...tcp.handshake(), tcp.send(side, "one "), tcp.ack(other)];
    const damaged = tcp.send(side, "two ", Flag.rst | Flag.ack | Flag.push);
    packets.push(
      damaged,
      tcp.ack(other),
      tcp.send(side, "three "),
      tcp.ack(other),
      tcp.send(other, "yes"),
      tcp.ack(side),
    );
    const said = outcome([...packets, tcp.fin(0), tcp.fin(1), tcp.ack(0)]);
    const [own, peer] = side === 0 ? ["0 c2s", "0 s2c"] : ["0 s2c", "0 c2s"];
    expect(said[own ?? ""]).toBe("one gap 4 lostthree finished");
    expect(said[peer ?? ""]).toBe("yesfinished");
  });
});

test("data with the flag of an RST is counted if its side goes on from it, although nothing is acknowledged any more", () => {
  const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
  const network = new TestNetwork().feed(...tcp.handshake(), tcp.send(1, "one "), tcp.send(1, "two ", Flag.rst));
  network.feed(tcp.send(1, "three "));
  expect([...network.take(), ...network.end()].slice(1)).toEqual(["0 s2c one  #4", "0 closed rst"]);
  expect(network.network.counts.unaccepted.bytes).toBe(10);
});

describe("what is accepted", () => {
  test("a SYN that is answered opens the next connection, with the SYN and what comes before the answer", () => {
    const first = new TcpTalk(CLIENT, SERVER, INITIAL);
    const second = new TcpTalk(CLIENT, SERVER, [foreign(0), foreign(1)]);
    const network = new TestNetwork().feed(...first.handshake(), first.send(0, "old"), second.syn(0));
    network.feed(first.ack(1), second.syn(1, Flag.syn | Flag.ack), second.ack(0), second.send(0, "new"));
    expect(network.take()).toEqual([
      "0 opened tcp 10.0.0.1:4000 > 10.0.0.2:14617 #1",
      "0 c2s old #4",
      "0 closed reused",
      "1 opened tcp 10.0.0.1:4000 > 10.0.0.2:14617 #5",
      "1 c2s new #9",
    ]);
    expect(network.others).toEqual({});
  });

  test.each([0, 1] as const)("an RST of side %i ends the connection if nothing contradicts it", (side) => {
    const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
    const other = side === 0 ? 1 : 0;
    const network = new TestNetwork().feed(...tcp.handshake(), tcp.send(0, "ask"), tcp.send(1, "answer"), tcp.ack(0));
    network.feed(tcp.rst(side), tcp.send(other, "in flight"), tcp.raw(side, { flags: Flag.rst }));
    expect([...network.take(), ...network.end()].slice(1)).toEqual(["0 c2s ask #4", "0 s2c answer #5", "0 closed rst"]);
    expect(network.others).toEqual({ "TCP data after the end of its connection": 1 });
    expect(network.network.counts.unaccepted).toMatchObject({ bytes: 9, streams: new Map([[0, 9]]) });
  });

  test("an RST may say what its sender had received before", () => {
    const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
    const network = new TestNetwork().feed(...tcp.handshake(), tcp.send(1, "answer"), tcp.ack(0), tcp.rst(0));
    network.feed(tcp.send(1, "in flight"), tcp.rst(0));
    expect([...network.take(), ...network.end()].slice(1)).toEqual([
      "0 s2c answer #4",
      "0 s2c in flight #7",
      "0 closed rst",
    ]);
  });

  test("an RST ends the connection a minute later", () => {
    const tcp = new TcpTalk(CLIENT, SERVER, INITIAL);
    const network = new TestNetwork()
      .feed(...tcp.handshake(), tcp.rst(1))
      .wait(59)
      .feed(new Uint8Array(20));
    expect(network.take().at(-1)).toBe("0 closed rst");
  });
});
