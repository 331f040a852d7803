import type { IpAddress } from "../address.js";
import { u16 } from "../bytes.js";
import type { ChecksumNote } from "../conversation.js";
import { type IpPacket, IpProtocol } from "./ip.js";

const IPV4_FIELD = 10;
const TCP_FIELD = 16;
const UDP_FIELD = 6;

/**
 * Verifies the checksum of an IPv4 header (RFC 791, section 3.1); undefined if it is right.
 * @param start offset of the header in `data`.
 */
export function checkIpv4(data: Uint8Array, start: number): ChecksumNote | undefined {
  const length = ((data[start] ?? 0) & 0xf) * 4;
  const found = u16(data, start + IPV4_FIELD);
  const expected = complement(sum(data, start, start + length) - found);
  if (isSame(found, expected)) return undefined;
  return { layer: "IPv4", found, expected, isOffloaded: found === 0 };
}

/**
 * Verifies the checksum of TCP (RFC 9293, section 3.1) or UDP (RFC 768; RFC 8200, section 8.1).
 * @param end offset after the last byte that it covers; all of them must have been captured.
 * @returns undefined if it is right, or cannot be verified.
 */
export function checkTransport(ip: IpPacket, end: number): ChecksumNote | undefined {
  const { data, payloadStart: start, protocol } = ip;
  // The destination that counts is the last one in the routing header, which is not read.
  if (ip.isInTransit || (protocol !== IpProtocol.tcp && protocol !== IpProtocol.udp)) return undefined;
  const isTcp = protocol === IpProtocol.tcp;
  const found = u16(data, start + (isTcp ? TCP_FIELD : UDP_FIELD));
  // Over IPv4, a UDP datagram need not have one.
  if (found === 0 && !isTcp && ip.source.version === 4) return undefined;
  const addresses = addressSum(ip.source) + addressSum(ip.destination) + protocol;
  const pseudoHeader = addresses + (end - start);
  const expected = complement(pseudoHeader + sum(data, start, end) - found);
  if (isSame(found, expected)) return undefined;
  // What the network card is given to complete: the sum of only the pseudo-header, with or without the length.
  const isPartial = found === fold(pseudoHeader) || found === fold(addresses);
  return { layer: isTcp ? "TCP" : "UDP", found, expected, isOffloaded: found === 0 || isPartial };
}

/** Zero has two forms in this arithmetic. */
function isSame(found: number, expected: number): boolean {
  return found === expected || (found === 0xffff && expected === 0);
}

function addressSum({ w0, w1, w2, w3 }: IpAddress): number {
  return wordSum(w0) + wordSum(w1) + wordSum(w2) + wordSum(w3);
}

function wordSum(word: number): number {
  return (word >>> 16) + (word & 0xffff);
}

/**
 * The Internet checksum (RFC 1071) of the bytes from `start` to `end`, whose checksum field is zero.
 * @param before the sum of what else it covers, such as a pseudo-header, in 16-bit numbers, not folded.
 */
export function internetChecksum(data: Uint8Array, start: number, end: number, before = 0): number {
  return complement(before + sum(data, start, end));
}

/**
 * The sum of 16-bit numbers (RFC 1071), not folded: for 64 KiB it is far below the integers that a double holds
 * exactly.
 */
function sum(data: Uint8Array, start: number, end: number): number {
  let total = 0;
  for (let at = start; at + 1 < end; at += 2) total += u16(data, at);
  return (end - start) % 2 === 0 ? total : total + ((data[end - 1] ?? 0) << 8);
}

function fold(total: number): number {
  let folded = total;
  while (folded > 0xffff) folded = (folded % 0x10000) + Math.floor(folded / 0x10000);
  return folded;
}

function complement(total: number): number {
  return ~fold(total) & 0xffff;
}
