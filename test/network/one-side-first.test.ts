import { expect, it } from "vitest";
import { dissectPackets } from "../support/dissecting.js";
import { MoulTalk, ping } from "../support/moul-session.js";
import { TcpTalk } from "../support/packets.js";

it("what a client had received before its RST counts, although all of it was captured after the RST", () => {
  const talk = new MoulTalk("auth", { encryption: "none" }).opens();
  for (let number = 1; number < 4; number++) ping(talk, number);
  const tcp = new TcpTalk(["192.0.2.1", 50_000], ["192.0.2.2", 14_617], [1000, 9_000_000]);
  const [syn = [], answer = [], ack = []] = tcp.handshake();
  const client = [syn, ack];
  const server = [answer];
  for (const { direction, bytes } of talk.sent) {
    if (direction === "c2s") client.push(tcp.send(0, bytes));
    else server.push(tcp.send(1, bytes));
  }
  client.push(tcp.rst(0));
  const received = server.length;
  const reply = { pingTime: 4, transactionId: 4, payloadByteCount: 0, payload: new Uint8Array(0) };
  server.push(tcp.send(1, talk.message("Auth2Cli_PingReply", reply)));
  const packets = [...client, ...server].map((packet) => Uint8Array.from(packet));
  const { lines } = dissectPackets(packets, { seconds: packets.map(() => 1) });
  expect(lines.filter((line) => line.startsWith("0 s2c"))).toEqual([
    "0 s2c Srv2Cli_Encrypt",
    // What the server has sent after that was not accepted.
    ...Array<string>(received - 2).fill("0 s2c Auth2Cli_PingReply"),
  ]);
});
