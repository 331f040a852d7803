import { describe, expect, it } from "vitest";
import { dissectPackets } from "../../../support/dissecting.js";
import { keyFiles, MoulTalk, packetsOf, ping, secret } from "../../../support/moul-session.js";

/** MOUL connections that are cut, broken, odd or mixed: nothing is invented, and nothing is concealed. */

const keys = { "dirtsand.ini": keyFiles.dirtsand() };
const EMPTY_PING = { pingTime: 1, transactionId: 1, payloadByteCount: 0, payload: new Uint8Array(0) };

/**
 * The packets of the key exchange: three packets that open the TCP connection come before them, and the connect packet.
 */
const KEY_EXCHANGE_Y = 4;
const KEY_EXCHANGE_SEED = 5;

function pings(count: number, talk = new MoulTalk("auth").opens()): MoulTalk {
  for (let number = 1; number <= count; number++) ping(talk, number);
  return talk;
}

function without<T>(list: readonly T[], ...places: readonly number[]): T[] {
  return list.filter((_, index) => !places.includes(index));
}

describe("a connect packet", () => {
  const [open = new Uint8Array(0)] = new MoulTalk("auth").connect().sent.map(({ bytes }) => bytes);

  it.each([3, 20, 34, 50])("of which %i bytes were captured is shown up to there", (length) => {
    for (const noFin of [false, true]) {
      const packets = packetsOf(new MoulTalk("auth").wire("c2s", open.slice(0, length)), { noFin });
      const { lines, messages } = dissectPackets(packets);
      expect(lines).toEqual(["0 c2s Cli2Auth_Connect truncated"]);
      expect(messages[0]?.notes.at(-1)?.text).toContain("the capture holds");
    }
  });

  it.each([1, 2])("of which %i bytes were captured is not guessed at", (length) => {
    expect(dissectPackets(packetsOf(new MoulTalk("auth").wire("c2s", open.slice(0, length)))).lines).toEqual([]);
  });

  it("that is cut by the snap length is followed by a gap", () => {
    const packets = packetsOf(pings(1)).map((packet) => [packet, 40 + 20] as const);
    const { lines } = dissectPackets(packets, { keys });
    expect(lines.slice(0, 2)).toEqual(["0 c2s Cli2Auth_Connect truncated", "0 c2s gap truncated"]);
    expect(lines.filter((line) => !/truncated$|encrypted$|Srv2Cli_Encrypt$/.test(line))).toEqual([]);
  });

  it.each([
    ["a wrong count of the header", 1, 30],
    ["a wrong count of the data", 31, 21],
    ["a type of no client", 0, 99],
  ])("with %s is not recognised", (_, offset, value) => {
    const bytes = open.slice();
    bytes[offset] = value;
    expect(dissectPackets(packetsOf(new MoulTalk("auth").wire("c2s", bytes).sendsY())).lines).toEqual([]);
  });
});

describe("a conversation without its opening packets", () => {
  it("is recognised, whichever side is heard first", () => {
    const talk = pings(1);
    const expected = dissectPackets(packetsOf(talk), { keys }).lines;
    const packets = packetsOf(talk, { noSyn: true });
    expect(dissectPackets(packets, { keys }).lines).toEqual(expected);

    // An acknowledgment from the server comes first, which makes it look like the client.
    const [connect, y, seed = new Uint8Array(0), ...others] = packets;
    const ack = seed.slice(0, 40);
    ack.set([0, 40], 2);
    for (const mtu of [65_000, 9]) {
      const inPieces = mtu === 9 ? packetsOf(talk, { noSyn: true, mtu }) : [connect, y, seed, ...others];
      const { lines, messages } = dissectPackets([ack, ...inPieces], { keys });
      expect(lines).toEqual(expected);
      expect(messages[0]?.source).toEqual({ address: "192.0.2.1", port: 50_000 });
      expect(messages[0]?.destination).toEqual({ address: "192.0.2.2", port: 14_617 });
    }
  });

  it("is reported as encrypted if the connect packet is missing, too", () => {
    const { lines } = dissectPackets(packetsOf(pings(3), { noSyn: true }).slice(4), { keys });
    expect(lines).toEqual(["0 c2s encrypted encrypted", "0 s2c encrypted encrypted"]);
  });
});

describe("a key exchange", () => {
  it("that the server refuses shows the error, and ends there", () => {
    const talk = new MoulTalk("auth").connect().sendsY().refuses(42);
    const { lines, messages } = dissectPackets(packetsOf(talk), { keys });
    expect(lines.slice(2)).toEqual(["0 s2c Srv2Cli_Error"]);
    expect(messages.at(-1)?.toJSON()).toMatchObject({
      fields: { error: { errorCode: "kNetErrScoreAlreadyExists" } },
      notes: [],
    });
  });

  it("that the server refuses while the client goes on leaves the client's bytes unread", () => {
    const talk = new MoulTalk("auth").connect().sendsY().refuses().plain("c2s", Buffer.from("a1b2c3d4e5f6", "hex"));
    const { lines, messages } = dissectPackets(packetsOf(talk), { keys });
    expect(lines.slice(2)).toEqual(["0 s2c Srv2Cli_Error", "0 c2s encrypted encrypted"]);
    expect(messages.at(-1)?.notes[0]?.text).toBe("encrypted, and the key exchange is incomplete");
  });

  it.each([
    ["y", KEY_EXCHANGE_Y],
    ["the seed", KEY_EXCHANGE_SEED],
  ])("without %s does not turn what follows into messages", (_, place) => {
    const { lines } = dissectPackets(without(packetsOf(pings(4)), place), { keys });
    expect(lines.filter((line) => line.includes("Ping"))).toEqual([]);
    expect(lines.filter((line) => line.includes("gap"))).toHaveLength(1);
    expect(lines).toContain(place === KEY_EXCHANGE_Y ? "0 s2c encrypted encrypted" : "0 c2s encrypted encrypted");
  });

  it.each([
    ["y", KEY_EXCHANGE_Y],
    ["the seed", KEY_EXCHANGE_SEED],
  ])("without %s does not prevent reading plaintext in the other direction", (_, place) => {
    const talk = pings(4, new MoulTalk("auth", { encryption: "exchange only" }).opens());
    const run = dissectPackets(without(packetsOf(talk), place), { keys });
    const whole = place === KEY_EXCHANGE_Y ? "s2c" : "c2s";
    expect(run.direction(whole).filter((line) => line.includes("Ping"))).toHaveLength(4);
  });

  it.each([
    ["y", KEY_EXCHANGE_Y, "Cli2Srv_Connect"],
    ["the seed", KEY_EXCHANGE_SEED, "Srv2Cli_Encrypt"],
  ])("with half of %s captured does not turn what follows into messages", (_, place, name) => {
    const packets = packetsOf(pings(4)).map((packet, index) => [packet, index === place ? 44 : packet.length] as const);
    const run = dissectPackets(packets, { keys });
    const [cut, other] = place === KEY_EXCHANGE_Y ? (["c2s", "s2c"] as const) : (["s2c", "c2s"] as const);
    expect(run.direction(cut).slice(place === KEY_EXCHANGE_Y ? 1 : 0)).toEqual([
      `${name} truncated`,
      "gap truncated",
      "encrypted encrypted",
    ]);
    expect(run.direction(other).at(-1)).toBe("encrypted encrypted");
    expect(run.direction(other).slice(0, -1)).toEqual(
      place === KEY_EXCHANGE_Y ? ["Srv2Cli_Encrypt"] : ["Cli2Auth_Connect", "Cli2Srv_Connect"],
    );
  });

  it("without the seed does not prevent reading the plaintext that follows", () => {
    const talk = pings(4, new MoulTalk("auth", { encryption: "exchange only" }).opens());
    const run = dissectPackets(without(packetsOf(talk), KEY_EXCHANGE_SEED), { keys });
    expect(run.direction("s2c")).toEqual(["gap truncated", ...new Array<string>(4).fill("Auth2Cli_PingReply")]);
  });

  it.each([
    ["y", KEY_EXCHANGE_Y, "none", "c2s", "Cli2Auth"],
    ["the seed", KEY_EXCHANGE_SEED, "exchange only", "s2c", "Auth2Cli"],
  ] as const)(
    "lacking only %s is directly followed by the first message",
    (_, place, encryption, direction, prefix) => {
      const talk = new MoulTalk("auth", { encryption }).opens().plain(direction, Uint8Array.of(255, 255, 1));
      const run = dissectPackets(without(packetsOf(pings(2, talk)), place), { keys });
      expect(run.direction(direction).slice(-4, -2)).toEqual(["gap truncated", `${prefix}_65535 unknown`]);
    },
  );

  it.each([
    ["all of the seed", 0],
    ["half of the seed", 44],
    ["the end of the seed", 48],
  ])("without %s can be decrypted with a session key from a key log", (_, length) => {
    const talk = pings(4);
    const packets = packetsOf(talk).map((packet, index) => {
      if (index !== KEY_EXCHANGE_SEED) return packet;
      return length === 0 ? undefined : ([packet, length] as const);
    });
    const run = dissectPackets(packets, { keys: { "session.keys": talk.keyLog.rc4 } });
    expect(run.lines.filter((line) => line.includes("PingRe"))).toHaveLength(8);
    expect(run.lines.filter((line) => /skipped|encrypted|malformed/.test(line))).toEqual([]);
  });

  it.each([1, 2, 30, 65])("in which the capture ends, %i bytes into y, is shown up to there", (length) => {
    const talk = new MoulTalk("auth").connect();
    const [y = new Uint8Array(0)] = new MoulTalk("auth").sendsY().sent.map(({ bytes }) => bytes);
    const { lines } = dissectPackets(packetsOf(talk.wire("c2s", y.slice(0, length))), { keys });
    expect(lines).toEqual([
      "0 c2s Cli2Auth_Connect",
      length === 1 ? "0 c2s skipped truncated" : "0 c2s Cli2Srv_Connect truncated",
    ]);
  });

  it.each([
    ["c2s", "0142"],
    ["c2s", "0742aabbccdd"],
    ["s2c", "0042aabbccdd"],
    ["s2c", "0942aabbccdd"],
  ] as const)("with a packet from %s that does not belong there (%s) is named and ends there", (direction, bytes) => {
    const talk = new MoulTalk("auth").connect();
    if (direction === "s2c") talk.sendsY();
    talk.wire(direction, Buffer.from(bytes, "hex")).wire(direction, Buffer.from("0102030405", "hex"));
    const run = dissectPackets(packetsOf(talk), { keys });
    const name = direction === "c2s" ? "Cli2Srv_Setup" : "Srv2Cli_Setup";
    expect(run.direction(direction).slice(-2)).toEqual([`${name} unknown`, "skipped unknown"]);
    expect(run.notes(name)[0]).toContain("is not a type of set-up packet");
  });

  it.each([0, 1])("with a packet that claims %i bytes is malformed", (count) => {
    const talk = new MoulTalk("auth").connect().wire("c2s", Uint8Array.of(0, count, 3, 4, 5));
    const run = dissectPackets(packetsOf(talk), { keys });
    expect(run.direction("c2s").slice(1)).toEqual(["Cli2Srv_Setup malformed"]);
    expect(run.notes("Cli2Srv_Setup")).toEqual([`the byte count of ${count} does not even include itself`]);
  });
});

describe("a message of a type", () => {
  it("that is unknown takes up its packet; the next one is found after it, and the other direction goes on", () => {
    const talk = pings(1).plain("c2s", Buffer.from("ff7f000102030405060708", "hex"));
    const run = dissectPackets(packetsOf(pings(2, talk)), { keys });
    expect(run.direction("c2s").slice(2)).toEqual([
      "Cli2Auth_PingRequest",
      "Cli2Auth_32767 unknown",
      "Cli2Auth_PingRequest",
      "Cli2Auth_PingRequest",
    ]);
    expect(run.direction("s2c").slice(1)).toEqual(["Auth2Cli_PingReply", "Auth2Cli_PingReply", "Auth2Cli_PingReply"]);
    expect(run.notes("Cli2Auth_32767")).toEqual(["32767 is not a known message type of moul.auth"]);
    expect(run.message("Cli2Auth_32767").toJSON()).toMatchObject({
      fields: { messageType: 32767, undissected: "000102030405060708" },
    });
    expect(run.messages.flatMap(({ notes }) => notes.map(({ text }) => text))).toContain(
      "found after Cli2Auth_32767: from here on 2 messages in a row make sense",
    );
  });

  it("that is unknown ends its direction if nothing after it makes sense", () => {
    const talk = pings(1).plain("c2s", Buffer.from("ff7f0001", "hex")).plain("c2s", new Uint8Array(100).fill(0xee));
    const run = dissectPackets(packetsOf(talk), { keys });
    expect(run.direction("c2s").slice(3)).toEqual(["Cli2Auth_32767 unknown", "skipped unknown"]);
    expect(run.notes("skipped")).toEqual([
      "100 bytes were skipped: no message was found after Cli2Auth_32767, whose end is not known",
    ]);
  });

  it.each([536, 900, 1448])(
    "that is unknown does not continue as messages in its next packets of %i bytes, even if they are full of text",
    (mtu) => {
      const ping = "Cli2Auth_PingRequest";
      const text = "And so I close, realizing that perhaps the ending has not yet been written. ".repeat(30);
      for (let from = 0; from < 80; from += 3) {
        const bytes = Buffer.concat([Buffer.from("ff7f", "hex"), Buffer.from(text.slice(from), "utf16le")]);
        const run = dissectPackets(packetsOf(pings(3, pings(1).plain("c2s", bytes)), { mtu }), { keys });
        const found = run.direction("c2s").slice(2);
        // The first ping follows what may have been a full packet, and may be skipped.
        expect(found.slice(0, 5)).toEqual([ping, "Cli2Auth_32767 unknown", "skipped unknown", ping, ping]);
        expect(found.slice(5).every((line) => line === ping)).toBe(true);
      }
    },
  );

  it("that is known only by name has that name", () => {
    const talk = pings(1).plain("s2c", Buffer.from("0f00aabbcc", "hex"));
    const run = dissectPackets(packetsOf(talk), { keys });
    expect(run.direction("s2c").slice(2)).toEqual(["Auth2Cli_PlayerChat unknown"]);
    expect(run.notes("Auth2Cli_PlayerChat")[0]).toContain("nothing is known to send or read it");
  });
});

describe("a message of the file server", () => {
  const build = { transactionId: 1 };

  function fileTalk(...messages: readonly Uint8Array[]): MoulTalk {
    const talk = new MoulTalk("file").opens();
    for (const message of messages) talk.plain("c2s", message);
    return talk
      .says("Cli2File_BuildIdRequest", build)
      .says("File2Cli_BuildIdReply", { ...build, result: 0, buildId: 9 });
  }

  it.each([0, 4, 7])("with a length of %i is malformed; the next one is found", (length) => {
    const lie = new MoulTalk("file").message("Cli2File_BuildIdRequest", { ...build, messageByteCount: length });
    const run = dissectPackets(packetsOf(fileTalk(lie)));
    expect(run.direction("c2s").slice(1)).toEqual(["Cli2File_BuildIdRequest malformed", "Cli2File_BuildIdRequest"]);
    expect(run.notes("Cli2File_BuildIdRequest")).toEqual([
      `the byte count of ${length} does not even cover the header of 8 bytes`,
      "found after Cli2File_BuildIdRequest: from here on a message makes sense",
    ]);
    expect(run.direction("s2c")).toEqual(["File2Cli_BuildIdReply"]);
  });

  it("that is longer than its content is malformed, and the next one is where its length says", () => {
    const message = new MoulTalk("file").message("Cli2File_BuildIdRequest", { ...build, messageByteCount: 17 });
    const run = dissectPackets(packetsOf(fileTalk(Buffer.concat([message, Buffer.from("later")]))));
    expect(run.direction("c2s").slice(1)).toEqual(["Cli2File_BuildIdRequest malformed", "Cli2File_BuildIdRequest"]);
    expect(run.notes("Cli2File_BuildIdRequest")).toEqual(["5 bytes left over after the last field"]);
  });

  it("that is shorter than its content is malformed, and the next one is where its length says", () => {
    const message = new MoulTalk("file").message("Cli2File_BuildIdRequest", { ...build, messageByteCount: 10 });
    const run = dissectPackets(packetsOf(fileTalk(message.slice(0, 10))));
    expect(run.direction("c2s").slice(1)).toEqual(["Cli2File_BuildIdRequest malformed", "Cli2File_BuildIdRequest"]);
  });

  it("of an unknown type ends where its length says", () => {
    const run = dissectPackets(packetsOf(fileTalk(Buffer.from("0c00000063000000deadbeef", "hex")), { mtu: 5 }));
    expect(run.direction("c2s").slice(1)).toEqual(["Cli2File_99 unknown", "Cli2File_BuildIdRequest"]);
    expect(run.message("Cli2File_99").toJSON()).toMatchObject({
      fields: { messageByteCount: 12, messageType: 99, undissected: "deadbeef" },
    });
  });

  it("that claims 4 GB is malformed, not waited for", () => {
    const lie = new MoulTalk("file").message("Cli2File_BuildIdRequest", { ...build, messageByteCount: 0xffff_ffff });
    const run = dissectPackets(packetsOf(fileTalk(lie)));
    expect(run.direction("c2s").slice(1)).toEqual(["Cli2File_BuildIdRequest malformed", "Cli2File_BuildIdRequest"]);
    expect(run.notes("Cli2File_BuildIdRequest")[0]).toContain("4294967295 bytes");
    expect(run.direction("s2c")).toEqual(["File2Cli_BuildIdReply"]);
  });

  it("that claims more than the capture holds is truncated, even if all of its fields are present", () => {
    const lie = new MoulTalk("file").message("Cli2File_BuildIdRequest", { ...build, messageByteCount: 500 });
    const run = dissectPackets(packetsOf(new MoulTalk("file").opens().plain("c2s", Buffer.concat([lie, lie]))));
    expect(run.direction("c2s").slice(1)).toEqual(["Cli2File_BuildIdRequest truncated", "skipped truncated"]);
    expect(run.notes("Cli2File_BuildIdRequest")).toEqual([
      "the connection was closed after 24 of the 500 bytes of Cli2File_BuildIdRequest",
    ]);
  });
});

describe("a message that claims 4 GB", () => {
  it("is malformed, not waited for", () => {
    const talk = pings(1).plain("c2s", Buffer.from("0000010000000100000000000000ffffffff", "hex").subarray(0, 6));
    const claim = Buffer.from("000001000000010000000000f0ff0102030405", "hex");
    const lie = pings(1).plain("c2s", claim);
    const run = dissectPackets(packetsOf(pings(1, lie)), { keys });
    expect(run.direction("c2s").slice(3)).toEqual(["Cli2Auth_PingRequest malformed", "Cli2Auth_PingRequest"]);
    expect(run.direction("s2c").slice(1)).toEqual(["Auth2Cli_PingReply", "Auth2Cli_PingReply"]);
    // A message that is merely cut off is not malformed.
    expect(dissectPackets(packetsOf(talk), { keys }).direction("c2s").at(-1)).toBe("Cli2Auth_PingRequest truncated");
  });
});

describe("a message over several packets", () => {
  it("has their frames, and the time of the one that completes it", () => {
    const talk = new MoulTalk("auth").opens();
    talk.says("Cli2Auth_PingRequest", { ...EMPTY_PING, payloadByteCount: 300, payload: new Uint8Array(300) });
    const packets = packetsOf(talk, { mtu: 100 });
    const { frames, origin, length } = dissectPackets(packets, { keys }).message("Cli2Auth_PingRequest");
    expect(length).toBe(314);
    expect(frames).toEqual([7, 8, 9, 10]);
    expect(origin).toMatchObject({ frame: 10, seconds: 10 });

    // The third piece arrives last.
    const reordered = [...packets.slice(0, 8), ...packets.slice(9, 10), ...packets.slice(8, 9), ...packets.slice(10)];
    const late = dissectPackets(reordered, { keys }).message("Cli2Auth_PingRequest");
    expect(late.frames).toEqual([7, 8, 10, 9]);
    expect(late.origin).toMatchObject({ frame: 10, seconds: 10 });
  });

  it("in which the capture ends is truncated", () => {
    const talk = new MoulTalk("auth").opens();
    talk.says("Cli2Auth_PingRequest", { ...EMPTY_PING, payloadByteCount: 300, payload: new Uint8Array(300) });
    const packets = packetsOf(pings(1, talk), { mtu: 100 }).slice(0, 8);
    const run = dissectPackets(packets, { keys });
    expect(run.direction("c2s").slice(2)).toEqual(["Cli2Auth_PingRequest truncated"]);
    expect(run.notes("Cli2Auth_PingRequest")).toEqual([
      "payload needs 300 bytes (payloadByteCount says so) at offset 14; the capture holds 186",
    ]);
  });
});

describe("two conversations at once", () => {
  it("do not mix, with different keys", () => {
    const one = packetsOf(pings(3), { client: ["192.0.2.1", 1111] });
    const two = packetsOf(pings(3, new MoulTalk("game", { b: secret("two") }).opens()), {
      client: ["192.0.2.1", 2222],
    });
    const mixed = one.flatMap((packet, index) => [packet, two[index] ?? packet]);
    const { lines } = dissectPackets(mixed, { keys });
    const alone = (packets: readonly Uint8Array[]) =>
      dissectPackets(packets, { keys }).lines.map((line) => line.slice(2));
    expect(lines.filter((line) => line.startsWith("0")).map((line) => line.slice(2))).toEqual(alone(one));
    expect(lines.filter((line) => line.startsWith("1")).map((line) => line.slice(2))).toEqual(alone(two));
  });

  it("between the same ports, one after the other, are two", () => {
    const again = packetsOf(pings(2, new MoulTalk("auth", { b: secret("again") }).opens()), { initial: [7, 77_000] });
    for (const first of [packetsOf(pings(1)), packetsOf(pings(1), { noFin: true })]) {
      const { lines } = dissectPackets([...first, ...again], { keys });
      expect(lines.filter((line) => line.startsWith("0") && line.includes("Ping"))).toHaveLength(2);
      expect(lines.filter((line) => line.startsWith("1") && line.includes("Ping"))).toHaveLength(4);
      expect(lines.every((line) => /^\d \w+ \w+$/.test(line))).toBe(true);
    }
  });

  it("do not hide each other: one that is not MOUL is ignored", () => {
    const web = new MoulTalk("auth")
      .wire("c2s", Buffer.from("GET / HTTP/1.1\r\n\r\n"))
      .wire("s2c", Buffer.from("HTTP/1.1 200 OK\r\n\r\n"));
    const packets = [...packetsOf(web, { client: ["192.0.2.7", 7] }), ...packetsOf(pings(1))];
    const { lines } = dissectPackets(packets, { keys });
    expect(lines.every((line) => line.startsWith("1 "))).toBe(true);
    expect(lines).toHaveLength(5);
  });
});
