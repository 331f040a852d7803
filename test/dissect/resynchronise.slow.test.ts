import { describe, expect, it } from "vitest";
import type { Packet } from "../../src/capture/packet.js";
import type { DissectedMessage } from "../../src/pipeline/dissected-message.js";
import { dissectPackets } from "../support/dissecting.js";
import { MoulTalk, packetsOf, ping } from "../support/moul-session.js";
import { type Found, dissectPackets as foundIn, packetsOf as packetsOfSample } from "../support/sample-packets.js";

/** How the next message is found where part of a capture is missing, and how little there is to recognise it by. */

const PINGS = 30;
/** Where the client's first ping begins, after its connect packet and a set-up packet without a value. */
const PINGS_AT = 53;

/** A connection with nothing but pings, which are short and mostly zeros. */
function idle(): MoulTalk {
  const talk = new MoulTalk("auth", { encryption: "none" }).opens();
  for (let number = 1; number <= PINGS; number++) ping(talk, 5000 * number);
  return talk;
}

const isPing = ({ name }: DissectedMessage) => name.endsWith("PingRequest") || name.endsWith("PingReply");

describe("an idle connection", () => {
  const packets = packetsOf(idle());
  // After the packets that open the connection, and before those that close it.
  const places = Array.from({ length: 2 * PINGS }, (_, index) => 6 + index);

  it("has every ping", () => {
    expect(dissectPackets(packets).messages.filter(isPing)).toHaveLength(2 * PINGS);
  });

  it.each(places)("has every other ping without packet %i", (lost) => {
    const { messages } = dissectPackets(packets.map((packet, index) => (index === lost ? undefined : packet)));
    const names = new Set(messages.filter((message) => !isPing(message)).map(({ name }) => name));
    expect([...names].sort()).toEqual(["Cli2Auth_Connect", "Cli2Srv_Connect", "Srv2Cli_Encrypt", "gap"]);
    const pings = messages.filter(isPing);
    expect(pings).toHaveLength(2 * PINGS - 1);
    expect(pings.every(({ status }) => status === "ok")).toBe(true);
  });

  it("has the pings of one long packet after a lost one", () => {
    const talk = idle();
    for (let number = 1; number <= PINGS; number++)
      talk.says("Cli2Auth_PingRequest", { pingTime: number, transactionId: number, payload: new Uint8Array(0) });
    const merged = packetsOf(talk, { merged: true });
    const lost = merged.length - 5;
    const { messages } = dissectPackets(merged.map((packet, index) => (index === lost ? undefined : packet)));
    expect(messages.filter(({ name }) => name === "skipped")).toEqual([]);
    expect(messages.filter(({ name }) => name === "Cli2Auth_PingRequest").length).toBeGreaterThanOrEqual(2 * PINGS - 1);
  });
});

describe("an idle connection in packets of a few bytes", () => {
  // Pings are mostly zeros: they also make sense if they begin in the zeros before them.
  it.each([2, 3])("of %i shows no pings that begin too early", (mtu) => {
    const talk = new MoulTalk("auth", { encryption: "none" }).opens();
    const pingTimes = Array.from({ length: 60 }, (_, number) => 5000 * (number + 1));
    const fields = { transactionId: 0, payloadByteCount: 0, payload: new Uint8Array(0) };
    for (const pingTime of pingTimes) talk.says("Cli2Auth_PingRequest", { pingTime, ...fields });
    const packets = packetsOf(talk, { mtu });
    const first = Math.ceil(packets.length / 13);
    for (let from = 2 * first; from < packets.length - 3 * first; from += first) {
      const lost = packets.map((packet, index) => (index >= from && index < from + 5 ? undefined : packet));
      const found = dissectPackets(lost).messages.filter(isPing);
      const isSaid = ({ offset }: DissectedMessage) => offset % 14 === PINGS_AT % 14;
      expect(found.filter((message) => !isSaid(message)).map(({ offset }) => offset)).toEqual([]);
    }
  });
});

describe("the end of a long message", () => {
  // Auth2Cli_VaultNodeDeleted, a number of two bytes and one of four.
  const SHORT = [0x1a, 0, 0, 0, 0, 0];

  it.each([200, 536, 1448])("is not taken for a short one after a packet of %i bytes is lost in it", (mtu) => {
    const chunkData = Uint8Array.from({ length: 4000 }, (_, index) => (index * index * 31) % 251);
    chunkData.set(SHORT, chunkData.length - SHORT.length);
    const talk = new MoulTalk("auth", { encryption: "none" }).opens();
    const chunk = { transactionId: 7, result: 0, totalFileSize: 4000, chunkOffset: 0, chunkSize: 4000, chunkData };
    talk.says("Auth2Cli_FileDownloadChunk", chunk);
    for (let number = 1; number <= 5; number++) ping(talk, number);
    const packets = packetsOf(talk, { mtu });
    const parts = packets.flatMap(({ length }, index) => (length >= mtu ? [index] : []));
    expect(parts.length).toBeGreaterThan(1);
    for (const lost of parts) {
      const { messages } = dissectPackets(packets.map((packet, index) => (index === lost ? undefined : packet)));
      expect(messages.map(({ name }) => name)).not.toContain("Auth2Cli_VaultNodeDeleted");
      expect(messages.filter(isPing).length).toBeGreaterThanOrEqual(9);
    }
  });
});

describe("a long text", () => {
  const text = "And so I close, realizing that perhaps the ending has not yet been written. ".repeat(60);

  it.each([200, 536, 1448])("is not taken for messages after a packet of %i bytes is lost in it", (mtu) => {
    for (let from = 0; from < 30; from++) {
      const talk = new MoulTalk("auth", { encryption: "none" }).opens();
      talk.says("Cli2Auth_LogPythonTraceback", { tracebackText: text.slice(from, from + 4000) });
      for (let number = 1; number <= 5; number++) ping(talk, number);
      const packets = packetsOf(talk, { mtu });
      const parts = packets.flatMap(({ length }, index) => (length >= mtu ? [index] : []));
      const lost = parts[1 + (from % (parts.length - 2))];
      const { messages } = dissectPackets(packets.map((packet, index) => (index === lost ? undefined : packet)));
      const names = messages.filter(({ direction }) => direction === "c2s").map(({ name }) => name);
      const pings = new Array(5).fill("Cli2Auth_PingRequest");
      expect(names.slice(2)).toEqual(["Cli2Auth_LogPythonTraceback", "gap", "skipped", ...pings]);
    }
  });
});

describe.each(["dirtsand-plain.pcap", "nagus-plain.pcap"])("%s with a snap length", (capture) => {
  const keyOf = ({ stream, offset, name }: Found) => `${stream} ${offset} ${name}`;

  it.each([96, 128, 300])("of %i bytes has the beginnings of messages, and no false ones", async (length) => {
    const packets = await packetsOfSample(capture);
    const cut = packets.map((packet): Packet => ({ ...packet, data: packet.data.subarray(0, length) }));
    const found = await foundIn(cut);
    const whole = await foundIn(packets);
    const real = new Set(whole.map(keyOf));
    const isMessage = ({ name }: Found) => !["gap", "skipped", "encrypted"].includes(name);
    expect(found.filter((message) => isMessage(message) && !real.has(keyOf(message))).map(keyOf)).toEqual([]);
    expect(found.some(({ name }) => name === "gap")).toBe(true);
    // Only what is in the middle of a packet after a truncated message is lost.
    expect(found.filter(isMessage).length).toBeGreaterThan(0.8 * whole.length);
  });
});

describe("a long message that begins a packet", () => {
  // After a loss of a full packet, the next one may also begin with the middle of a message.
  it.each([1, 2])("is not taken for two others that end where it does, after a loss of %i packets", (lost) => {
    const talk = new MoulTalk("auth", { encryption: "none" }).opens();
    const send = (transactionId: number, length: number, result = 0) => {
      const chunkData = Uint8Array.from({ length }, (_, index) => (index * index * 31) % 251);
      const sizes = { totalFileSize: length, chunkOffset: 0, chunkSize: length };
      talk.says("Auth2Cli_FileDownloadChunk", { transactionId, result, ...sizes, chunkData });
    };
    send(0x19, 2384);
    // From its third byte on, it is a VaultNodeDeleted of six bytes, and a PingReply whose payload is as long as the chunk.
    send(0x1a, 2592);
    // All that follows is of the same type, which says little, but for its error.
    send(0x1b, 0, 20);
    const packets = packetsOf(talk, { mtu: 1448, noFin: true });
    const [first = 0] = packets.flatMap((packet, index) => (packet.length > 1400 ? [index] : []));
    const end = first + 2;
    const { messages } = dissectPackets(
      packets.map((packet, index) => (index < end && index >= end - lost ? undefined : packet)),
    );
    const server = messages.filter(({ direction, name }) => direction === "s2c" && name.startsWith("Auth2Cli"));
    expect(server.map(({ name, status }) => `${name} ${status}`)).toEqual([
      ...(lost === 1 ? ["Auth2Cli_FileDownloadChunk truncated"] : []),
      "Auth2Cli_FileDownloadChunk ok",
      "Auth2Cli_FileDownloadChunk ok",
    ]);
  });
});
