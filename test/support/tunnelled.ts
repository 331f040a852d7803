import { type Ends, ethernet, Flag, ipPacket, tcpPacket, text, udpPacket } from "./packets.js";

/** Packets that tests pack into other layers, and what has to be found of them. */

/** The ends of packets that are in no tunnel, of both versions of IP. */
export const V4: Ends = { source: "10.0.0.1", sourcePort: 4000, destination: "10.0.0.2", destinationPort: 14617 };
export const V6: Ends = { ...V4, source: "2001:db8::1", destination: "2001:db8::2" };

export const ETHERNET = 1;

/** The ends of the packets inside. */
export const INNER: Ends = {
  source: "192.168.0.1",
  sourcePort: 4000,
  destination: "192.168.0.2",
  destinationPort: 14617,
};
const INNER6: Ends = { ...INNER, source: "fd00::1", destination: "fd00::2" };
export const HELLO = { flags: Flag.ack | Flag.push, sequence: 100, payload: text("hello") };
export const v4 = tcpPacket(INNER, HELLO);
export const v6 = tcpPacket(INNER6, HELLO);

/** The ends of a tunnel. */
export const ONE = "203.0.113.1";
export const OTHER = "203.0.113.2";
/** What names a tunnel between them. */
export const BETWEEN = `${ONE}-${OTHER}`;

/** The ends of a tunnel over UDP. */
export function over(destinationPort: number, { source = ONE, destination = OTHER, sourcePort = 55_555 } = {}): Ends {
  return { source, sourcePort, destination, destinationPort };
}

/** A frame of a tunnel over UDP. */
export function inUdp(port: number, content: Uint8Array, sourcePort?: number): Uint8Array {
  return ethernet(udpPacket(over(port, sourcePort === undefined ? {} : { sourcePort }), content));
}

/** A frame of a tunnel over IP. */
export function inIp(protocol: number, content: Uint8Array): Uint8Array {
  return ethernet(ipPacket(protocol, ONE, OTHER, content));
}

/** The events for `v4` or `v6` that came through the given path. */
export function found(packet: Uint8Array, path = ""): readonly string[] {
  const ends = packet === v4 ? "192.168.0.1:4000? > 192.168.0.2:14617" : "[fd00::1]:4000? > [fd00::2]:14617";
  return [`0 opened tcp ${ends}${path === "" ? "" : ` (${path})`} #1`, "0 c2s hello #1"];
}
