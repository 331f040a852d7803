import { expect, it } from "vitest";
import { dissectPackets } from "../support/dissecting.js";
import { MoulTalk, ping } from "../support/moul-session.js";
import { TcpTalk } from "../support/packets.js";

type Sides = readonly [client: Uint8Array[], server: Uint8Array[]];

/** A conversation that one side resets, by sides; after the RST, the other one sends a message more. */
function reset(side: 0 | 1): { handshake: Sides; data: Sides } {
  const talk = new MoulTalk("auth", { encryption: "none" }).opens();
  for (let number = 1; number < 4; number++) ping(talk, number);
  const tcp = new TcpTalk(["192.0.2.1", 50_000], ["192.0.2.2", 14_617], [1000, 9_000_000]);
  const none = new Uint8Array(0);
  const [syn = none, answer = none, ack = none] = tcp.handshake();
  const data: Sides = [[ack], []];
  const send = (from: 0 | 1, bytes: Uint8Array): void => {
    data[from].push(tcp.send(from, bytes));
  };
  for (const { direction, bytes } of talk.sent) send(direction === "c2s" ? 0 : 1, bytes);
  data[side].push(tcp.rst(side));
  const more = { pingTime: 4, transactionId: 4, payloadByteCount: 0, payload: new Uint8Array(0) };
  if (side === 0) send(1, talk.message("Auth2Cli_PingReply", more));
  else send(0, talk.message("Cli2Auth_PingRequest", more));
  return { handshake: [[syn], [answer]], data };
}

const received = [
  ["0 s2c Srv2Cli_Encrypt", ...Array<string>(3).fill("0 s2c Auth2Cli_PingReply")],
  ["0 c2s Cli2Auth_Connect", "0 c2s Cli2Srv_Connect", ...Array<string>(3).fill("0 c2s Cli2Auth_PingRequest")],
] as const;

it.each([
  ["a client", "", 0, [0, 1]],
  ["a server", "", 1, [0, 1]],
  ["a client", ", without a SYN", 0, []],
  ["a server", ", without a SYN", 1, []],
  ["a client", ", without the other SYN", 0, [0]],
  ["a server", ", without the other SYN", 1, [1]],
] as const)(
  "what %s had received before its RST counts, although all of it was captured after it%s",
  (_, __, side, syns) => {
    const { handshake, data } = reset(side);
    const of = (from: 0 | 1): Uint8Array[] => [
      ...(syns.some((one) => one === from) ? handshake[from] : []),
      ...data[from],
    ];
    const other = side === 0 ? 1 : 0;
    const first = of(side);
    const packets = [...first, ...of(other)];
    // As long as doubt lasts passes between the two.
    const { lines } = dissectPackets(packets, { seconds: packets.map((_, index) => (index < first.length ? 1 : 3)) });
    // What was sent after it was not accepted.
    expect(lines.filter((line) => line.startsWith(side === 0 ? "0 s2c" : "0 c2s"))).toEqual(received[side]);
  },
);
