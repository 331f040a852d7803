import { u16 } from "../bytes.js";
import { Encapsulation } from "../encapsulations.js";
import { EtherType } from "../link/link-payload.js";
import { type Carrier, leadsTo, type Tunnelled } from "../link/tunnelled.js";

/** What may precede the packet: an authentication and an origin indication, each with its first two bytes. */
const AUTHENTICATION = 0x0001;
const AUTHENTICATION_FIXED = 13;
const ORIGIN = 0x0000;
const ORIGIN_LENGTH = 8;
const IPV6_HEADER = 40;

/** Reads what Teredo (RFC 4380, section 5.1.1) carries; false if it is something else. */
export function readTeredo({ data, start, end, missing }: Carrier, out: Tunnelled): boolean {
  let at = start;
  if (at + 4 <= end && u16(data, at) === AUTHENTICATION) {
    // Lengths of a client identifier and of an authentication value; a nonce and a confirmation follow these.
    at += AUTHENTICATION_FIXED + (data[at + 2] ?? 0) + (data[at + 3] ?? 0);
  }
  if (at + 2 <= end && u16(data, at) === ORIGIN) at += ORIGIN_LENGTH;
  if (at + IPV6_HEADER > end || (data[at] ?? 0) >>> 4 !== 6) return false;
  const packetEnd = at + IPV6_HEADER + u16(data, at + 4);
  return packetEnd <= end + missing && leadsTo(out, EtherType.ipv6, at, Encapsulation.teredo);
}
