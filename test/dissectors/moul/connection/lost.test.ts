import { expect, it } from "vitest";
import { moul } from "../../../../dissectors/moul/index.js";
import type { Direction } from "../../../../src/network/conversation.js";
import { Decoder } from "../../../../src/schema/decode/decode.js";
import { Extent } from "../../../../src/schema/decode/window.js";
import { viewOf } from "../../../../src/schema/language/byte-source.js";
import { dissectPackets } from "../../../support/dissecting.js";
import { type Encryption, MoulTalk, packetsOf, ping } from "../../../support/moul-session.js";

const windowOn = (bytes: Uint8Array) => ({ bytes, view: viewOf(bytes), start: 0, end: bytes.length });
const NOTHING = new Uint8Array(0);
const place = { number: 1, origin: { frame: 1, seconds: 0, nanoseconds: 0 }, frames: [1] };

/** A connection in the clear, which receives its bytes one packet at a time. */
function opened(encryption: Encryption = "none") {
  const talk = new MoulTalk("auth", { encryption }).opens();
  const [connect = NOTHING, y = NOTHING, seed = NOTHING] = talk.sent.map(({ bytes }) => bytes);
  const pending = { c2s: connect, s2c: NOTHING };
  const conversation = moul.open({
    transport: "tcp",
    client: { address: "192.0.2.1", port: 50_000 },
    server: { address: "192.0.2.2", port: 14_617 },
    midstream: false,
    keys: [],
    definitions: [],
    shared: new Map(),
    names: { get: () => undefined, set: () => {}, forget: () => {} },
    pending: (direction) => pending[direction],
    ended: () => false,
    hungUp: () => false,
    decrypt: () => {},
  });
  const decoder = new Decoder();
  const brings = (direction: Direction, bytes: Uint8Array) => {
    const step = conversation.next(direction, windowOn(bytes));
    if (step.step !== "message") return step.step;
    decoder.decode(step.type, windowOn(bytes), Extent.Open);
    conversation.decoded?.(direction, step.type, decoder.nodes, place);
    return step.type.struct.name;
  };
  brings("c2s", connect);
  const fields = { pingTime: 1, transactionId: 1, payloadByteCount: 0, payload: new Uint8Array(0) };
  const ping = talk.message("Cli2Auth_PingRequest", fields);
  const reply = talk.message("Auth2Cli_PingReply", fields);
  return { conversation, brings, pending, y, seed, ping, reply };
}

/** The same, with the client's half of the key exchange. */
function asked() {
  const { brings, y, ...others } = opened();
  brings("c2s", y);
  return { brings, ...others };
}

it("only the set-up packet is missing: the first message follows it directly", () => {
  const { conversation, brings, ping, reply } = asked();
  expect(conversation.lost?.("s2c", 2)).toBe(true);
  expect(brings("c2s", ping)).toBe("Cli2Auth_PingRequest");
  expect(brings("s2c", reply)).toBe("Auth2Cli_PingReply");
});

it("more than the set-up packet is missing: the first message is searched for, once", () => {
  const { conversation, brings, reply } = asked();
  expect(conversation.lost?.("s2c", 40)).toBe(true);
  expect(brings("s2c", reply)).toBe("search");
  expect(brings("s2c", reply)).toBe("Auth2Cli_PingReply");
});

it("a later gap is left to the search, which is not requested again", () => {
  const { conversation, brings, ping, reply } = asked();
  expect(conversation.lost?.("s2c", 40)).toBe(true);
  expect(brings("c2s", ping)).toBe("Cli2Auth_PingRequest");
  expect(conversation.lost?.("s2c", 10)).toBe(false);
  expect(brings("s2c", reply)).toBe("Auth2Cli_PingReply");
});

it("half of the key exchange is missing: plaintext is read without waiting for the end of the connection", () => {
  const withoutY = opened("exchange only");
  expect(withoutY.conversation.lost?.("c2s", withoutY.y.length)).toBe(true);
  expect(withoutY.brings("s2c", withoutY.seed)).toBe("Srv2Cli_Encrypt");
  withoutY.pending.s2c = Buffer.concat([withoutY.reply, withoutY.reply]);
  expect(withoutY.brings("s2c", withoutY.reply)).toBe("Auth2Cli_PingReply");

  const withoutSeed = opened("exchange only");
  expect(withoutSeed.brings("c2s", withoutSeed.y)).toBe("Cli2Srv_Connect");
  expect(withoutSeed.conversation.lost?.("s2c", withoutSeed.seed.length)).toBe(true);
  withoutSeed.pending.c2s = Buffer.concat([withoutSeed.ping, withoutSeed.ping]);
  expect(withoutSeed.brings("c2s", withoutSeed.ping)).toBe("Cli2Auth_PingRequest");
});

it("bytes are missing after the whole key exchange, before it is known how messages are read: the first is searched for", () => {
  const { conversation, brings, pending, y, seed, ping, reply } = opened("exchange only");
  expect(brings("c2s", y)).toBe("Cli2Srv_Connect");
  expect(brings("s2c", seed)).toBe("Srv2Cli_Encrypt");
  expect(conversation.lost?.("s2c", 10)).toBe(true);
  pending.c2s = Buffer.concat([ping, ping]);
  expect(brings("c2s", ping)).toBe("Cli2Auth_PingRequest");
  expect(brings("s2c", reply)).toBe("search");
  expect(brings("s2c", reply)).toBe("Auth2Cli_PingReply");
});

it("after a gap, contents of files are not taken for a ping whose length is not that of one", () => {
  const talk = ping(new MoulTalk("file").opens());
  const fileData = new Uint8Array(1000).fill(0xaa);
  fileData.set([0, 10, 0, 0, 0, 0, 0, 0], 400);
  const fields = { transactionId: 1, result: 0, readerId: 1, totalFileSize: 1000, byteCount: 1000, fileData };
  const reply = talk.message("File2Cli_FileDownloadReply", fields);
  const start = reply.length - fileData.length;
  const cuts = [0, start + 400, start + 500, start + 600, reply.length];
  for (const [index, from] of cuts.slice(0, -1).entries()) talk.wire("s2c", reply.subarray(from, cuts[index + 1]));
  const packets = packetsOf(ping(ping(talk, 2), 3));
  const { messages } = dissectPackets(
    packets.map((packet, index) => (index === 6 || index === 8 ? undefined : packet)),
  );
  const found = messages.filter(({ direction }) => direction === "s2c").map(({ name, status }) => `${name} ${status}`);
  const ok = "File2Cli_PingReply ok";
  const lost = ["gap truncated", "skipped truncated"];
  expect(found).toEqual([ok, ...lost, ...lost, ok, ok]);
});
