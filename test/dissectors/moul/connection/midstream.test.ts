import { expect, it } from "vitest";
import { moul } from "../../../../dissectors/moul/index.js";
import { dissectPackets } from "../../../support/dissecting.js";
import { MoulTalk } from "../../../support/moul-session.js";
import { concat, TcpTalk } from "../../../support/packets.js";
import { wire } from "../messages/decoding.js";

/** A PropagateBuffer of the game server, in either direction, with a pfKIMsg: 75 bytes. */
const HI = wire(
  "0200 6b020000 41000000 6b02 00000000 00000000 00 31000000" +
    "6403 00 00000000 0000000000000000 48420000 00 03f0bd909d 86000000 02f0b7ff96ff0000 00000000 00000000 00000000 00",
);

/** A connection without its beginning in which each side says as much as the other; what the client says comes first. */
function captured(firstOfClient: Uint8Array): string[] {
  const talk = new TcpTalk(["192.0.2.1", 50_000], ["192.0.2.2", 14_617], [1000, 2000]);
  const packets = [talk.send(0, firstOfClient)];
  for (let turn = 0; turn < 8; turn++) packets.push(talk.send(1, HI), talk.send(0, HI));
  packets.push(talk.fin(0), talk.fin(1));
  return dissectPackets(packets, { dissectors: [moul] }).messages.map(
    ({ direction, name, length }) => `${direction} ${name} ${length}`,
  );
}

const ALL = Array.from({ length: 8 }, () => ["s2c Game2Cli_PropagateBuffer 75", "c2s Cli2Game_PropagateBuffer 75"]);

it("a client's message that is cut makes no connection unreadable: what the server says is enough, given time", () => {
  const rest = HI.subarray(20);
  expect(captured(rest).toSorted()).toEqual([`c2s skipped ${rest.length}`, ...ALL.flat()].toSorted());
});

it("the rest of a message that could be a short message is not shown as one", () => {
  const rest = wire(`0100 ${"ab".repeat(28)} b4ba ${"cd".repeat(40)}`);
  expect(captured(rest).toSorted()).toEqual([`c2s skipped ${rest.length}`, ...ALL.flat()].toSorted());
});

it("requests for vault nodes are not taken for requests to join an age if the first of them is cut", () => {
  const requests = Array.from({ length: 30 }, (_, index) => wire(`1a00 ${hex(0x1b0 + index)} ${hex(0x165 + index)}`));
  const replies = requests.map((_, index) => wire(`1800 ${hex(0x1b0 + index)} 12000000 00000000`));
  const talk = new TcpTalk(["192.0.2.1", 50_000], ["192.0.2.2", 14_617], [1000, 2000]);
  const [first = new Uint8Array(0), ...others] = requests;
  const packets = [first.subarray(3), ...others].map((request) => talk.send(0, request));
  packets.push(...replies.map((reply) => talk.send(1, reply)), talk.fin(0), talk.fin(1));
  const { messages } = dissectPackets(packets, { dissectors: [moul] });
  expect(messages.map(({ name }) => name).toSorted()).toEqual([
    ...replies.map(() => "Auth2Cli_VaultNodeFetched"),
    ...others.map(() => "Cli2Auth_VaultNodeFetch"),
    "skipped",
  ]);
});

/** Two directions that both begin within a message, in segments of a given size: what is shown. */
function cutTwice([restOfClient, restOfServer]: readonly [Uint8Array, Uint8Array], size: number): string[] {
  const talk = new TcpTalk(["192.0.2.1", 50_000], ["192.0.2.2", 14_617], [1000, 2000]);
  const said = [restOfClient, restOfServer];
  for (let turn = 0; turn < 8; turn++) said.push(HI, HI);
  const packets = said.flatMap((bytes, index) =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, part) =>
      talk.send(index % 2 === 0 ? 0 : 1, bytes.subarray(part * size, (part + 1) * size)),
    ),
  );
  packets.push(talk.fin(0), talk.fin(1));
  return dissectPackets(packets, { dissectors: [moul] }).messages.map(
    ({ direction, name, length }) => `${direction} ${name} ${length}`,
  );
}

it.each([1460, 8])(
  "both sides' first messages may be cut, and the connection is not taken for encrypted (%i)",
  (size) => {
    const rests = [HI.subarray(20), HI.subarray(33)] as const;
    expect(cutTwice(rests, size).toSorted()).toEqual(["c2s skipped 55", "s2c skipped 42", ...ALL.flat()].toSorted());
  },
);

it("what is left of a message is not shown as a ping, even if it ends where a message begins", () => {
  const rest = wire("00008c270000");
  const shown = cutTwice([concat(HI.subarray(43), rest), HI.subarray(33)], 8);
  expect(shown.toSorted()).toEqual(["c2s skipped 38", "s2c skipped 42", ...ALL.flat()].toSorted());
});

/** A game server's ping, in either direction. */
function ping(turn: number): Uint8Array {
  return wire(`0000 ${hex(100_000 + turn * 30_000)}`);
}

it.each([
  ["pings come first", [ping(0), ping(1), ping(2)]],
  ["the first message is followed by pings", [HI, ping(0), ping(1), ping(2)]],
])("messages do not wait for the end of the connection if %s", (_name, first) => {
  const talk = new TcpTalk(["192.0.2.1", 50_000], ["192.0.2.2", 14_617], [1000, 2000]);
  const packets = first.flatMap((bytes) => [talk.send(0, bytes), talk.send(1, HI)]);
  for (let turn = 0; turn < 30; turn++) packets.push(talk.send(0, ping(3 + turn)), talk.send(0, HI), talk.send(1, HI));
  const shown = dissectPackets(packets, { dissectors: [moul] }).messages.map(({ frames: [frame = 0] }) => frame);
  expect(shown).toHaveLength(packets.length);
  // What comes first may take some messages; from then on, each is shown when it comes.
  expect(shown.slice(20)).toEqual(packets.map((_packet, index) => index + 1).slice(20));
});

it("a request at the beginning is shown before its reply, even if the client says nothing more", () => {
  const talk = new TcpTalk(["192.0.2.1", 50_000], ["192.0.2.2", 14_617], [1000, 2000]);
  const packets = [talk.send(0, wire(`1a00 ${hex(0x1b0)} ${hex(0x165)}`))];
  for (let turn = 0; turn < 8; turn++) packets.push(talk.send(1, wire(`1800 ${hex(0x1b0 + turn)} 12000000 00000000`)));
  const { messages } = dissectPackets(packets, { dissectors: [moul] });
  expect(messages.map(({ name }) => name)).toEqual([
    "Cli2Auth_VaultNodeFetch",
    ...Array.from({ length: 8 }, () => "Auth2Cli_VaultNodeFetched"),
  ]);
});

it("after a set-up packet, a client may register again, as one does after a log-in has failed", () => {
  const talk = new TcpTalk(["192.0.2.1", 50_000], ["192.0.2.2", 14_617], [1000, 2000]);
  const [register, fetch] = [wire("0100 96030000"), wire(`1a00 ${hex(0x1b0)} ${hex(0x165)}`)];
  const fetched = Array.from({ length: 8 }, (_, turn) => wire(`1800 ${hex(0x1b0 + turn)} 12000000 00000000`));
  const packets = [
    ...[wire("0102"), ...fetched].map((bytes) => talk.send(1, bytes)),
    talk.send(0, concat(wire("0002"), register, fetch, register, fetch)),
    talk.fin(0),
    talk.fin(1),
  ];
  const { messages } = dissectPackets(packets, { dissectors: [moul] });
  const said = messages.filter(({ direction }) => direction === "c2s").map(({ name }) => name);
  const [registered, asked] = ["Cli2Auth_ClientRegisterRequest", "Cli2Auth_VaultNodeFetch"];
  expect(said).toEqual(["Cli2Srv_Connect", registered, asked, registered, asked]);
});

it("a message of text after lost bytes is found, although text is no evidence, if others follow", () => {
  const auth = new MoulTalk("auth", { encryption: "none" });
  const [tracebackText, stackDumpText] = [
    "NameError: name 'PtGetPython' is not defined\n".repeat(3),
    "plClient.exe!main",
  ];
  const talk = new TcpTalk(["192.0.2.1", 50_000], ["192.0.2.2", 14_617], [1000, 2000]);
  const packets = Array.from({ length: 8 }, (_, turn) => talk.send(0, wire(`1a00 ${hex(0x1b0 + turn)} ${hex(0x165)}`)));
  talk.send(0, HI);
  packets.push(
    talk.send(0, auth.message("Cli2Auth_LogPythonTraceback", { tracebackText })),
    talk.send(0, auth.message("Cli2Auth_LogStackDump", { stackDumpText })),
    talk.send(0, auth.message("Cli2Auth_LogClientDebuggerConnect", { nothing: 0 })),
    talk.send(0, wire(`1a00 ${hex(0x1c0)} ${hex(0x165)}`)),
    talk.send(0, wire(`1a00 ${hex(0x1c1)} ${hex(0x165)}`)),
  );
  const { messages } = dissectPackets(packets, { dissectors: [moul] });
  expect(messages.map(({ name }) => name).slice(8)).toEqual([
    "gap",
    "Cli2Auth_LogPythonTraceback",
    "Cli2Auth_LogStackDump",
    "Cli2Auth_LogClientDebuggerConnect",
    "Cli2Auth_VaultNodeFetch",
    "Cli2Auth_VaultNodeFetch",
  ]);
});

it.each([
  ["game", (time: number) => wire(`0000 ${hex(time)}`)],
  ["authentication", (time: number) => wire(`0000 ${hex(time)} 00000000 00000000`)],
])("pings of an idle connection with the %s server are no messages of another server", (_, ping) => {
  for (const [first, between] of [
    [0x250000, 1],
    [0, 30_000],
    [0x1_0000, 30_011],
  ] as const) {
    const talk = new TcpTalk(["192.0.2.1", 50_000], ["192.0.2.2", 14_617], [1000, 2000]);
    const pings = Array.from({ length: 400 }, (_, turn) => ping(first + turn * between));
    const { messages } = dissectPackets(pings.flatMap((bytes) => [talk.send(0, bytes), talk.send(1, bytes)]));
    expect(messages.map(({ direction, name }) => `${direction} ${name}`)).toEqual(["c2s encrypted", "s2c encrypted"]);
  }
});

/** The bytes of a number, least significant first. */
function hex(value: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes.toString("hex");
}
