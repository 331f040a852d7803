import { type Direction, dissectCaptures, type Message } from "../../src/index.js";
import { type Address, endsOf, udpPacket } from "./packets.js";
import { sample } from "./samples.js";
import type { Said } from "./talk.js";

/** What a session of 2.4 sends over UDP, except for what opens the UDP side, which would show the protocol at once. */
export async function saidOverUdp(): Promise<{ readonly said: readonly Said[]; readonly lines: readonly string[] }> {
  const said: Said[] = [];
  const lines: string[] = [];
  const network = {
    opened: () => ({
      datagram: (direction: Direction, bytes: Uint8Array) => {
        if (bytes[2] !== 0x6f) said.push([direction === "c2s" ? "c" : "s", bytes.slice()]);
      },
    }),
  };
  const listener = ({ conversation, direction, name, status }: Message) => {
    if (conversation.transport === "udp" && !name.includes("UDPLink")) lines.push(`${direction} ${name} ${status}`);
  };
  await dissectCaptures([sample("bz0221-glclient.pcap")], { network }, listener);
  return { said, lines };
}

/** The same as packets, on an unknown port, without the connection that they belong to. */
export async function loneDatagrams(): Promise<readonly Uint8Array[]> {
  const { said } = await saidOverUdp();
  const client: Address = ["192.0.2.1", 37_400];
  const server: Address = ["192.0.2.2", 31_337];
  return said.map(([side, bytes]) => udpPacket(side === "c" ? endsOf(client, server) : endsOf(server, client), bytes));
}
