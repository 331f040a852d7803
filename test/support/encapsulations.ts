import { concat, numbers, ppp, text } from "./packets.js";

/** Writes less common layers around packets, for tests. */

const MAC_ADDRESSES = numbers([4, 0x02000000], [2, 1], [4, 0x02000000], [2, 2]);

/** Numbers as in `numbers`, but little-endian. */
export function littleEndian(...fields: readonly (readonly [width: 1 | 2 | 4, value: number])[]): Uint8Array {
  return concat(...fields.map((field) => numbers(field).reverse()));
}

/** LLC and SNAP headers before a packet. */
export function llc(ip: Uint8Array, type = (ip[0] ?? 0) >>> 4 === 6 ? 0x86dd : 0x0800): Uint8Array {
  return concat(numbers([2, 0xaaaa], [1, 3], [1, 0], [2, 0], [2, type]), ip);
}

/** Link type 10. */
export function fddi(ip: Uint8Array, frameControl = 0x50): Uint8Array {
  return concat(Uint8Array.of(frameControl), MAC_ADDRESSES, llc(ip));
}

/** Link type 117, as OpenBSD writes it: the header's length is without its padding. */
export function pflog(ip: Uint8Array, family = 2, length = 61): Uint8Array {
  const header = new Uint8Array((length + 3) & ~3);
  header.set([length, family, 0, 0, 101, 109, 48]);
  return concat(header, ip);
}

/** Link type 109: the address family in either byte order, then security parameters and flags. */
export function enc(ip: Uint8Array, family: Uint8Array): Uint8Array {
  return concat(family, numbers([4, 0xc0ffee], [4, 0x800]), ip);
}

/** Link type 242. */
export function ipoib(ip: Uint8Array, type = 0x0800): Uint8Array {
  return concat(numbers([2, type], [2, 0]), ip);
}

/** Link type 247: a datagram of one subnet, with its checksums. */
export function infiniband(ip: Uint8Array, operation = 0x64): Uint8Array {
  const payload = ipoib(ip);
  const pad = -payload.length & 3;
  const extended = operation === 0x04 ? new Uint8Array(0) : numbers([4, 0x80010000], [4, 7]);
  const words = (8 + 12 + extended.length + payload.length + pad + 4) / 4;
  const local = numbers([1, 0], [1, 0x02], [2, 1], [2, words], [2, 2]);
  const transport = numbers([1, operation], [1, pad << 4], [2, 0xffff], [4, 9], [4, 1]);
  return concat(local, transport, extended, payload, new Uint8Array(pad), text("icrc"), text("vc"));
}

/** Link type 252. */
export function exportedPdu(protocol: string, data: Uint8Array): Uint8Array {
  const name = concat(text(protocol), new Uint8Array(-protocol.length & 3));
  return concat(numbers([2, 12], [2, name.length]), name, numbers([2, 24], [2, 4], [4, 2], [4, 0]), data);
}

/** The same with a number in one of Wireshark's tables in place of the name of a protocol. */
export function exportedByNumber(table: string, number: number, data: Uint8Array): Uint8Array {
  const name = concat(text(table), new Uint8Array(-table.length & 3));
  return concat(numbers([2, 14], [2, name.length]), name, numbers([2, 32], [2, 4], [4, number], [4, 0]), data);
}

/** The content of UDP port 37008, with padding and a signal strength as tags before the last one. */
export function tzsp(
  frame: Uint8Array,
  kind = 1,
  type = 0,
  tags: Uint8Array = Uint8Array.of(0, 10, 1, 0xc0),
): Uint8Array {
  return concat(numbers([1, 1], [1, type], [2, kind]), tags, Uint8Array.of(1), frame);
}

/** The content of UDP port 1701, with the fields that the flags ask for; the offset is 2. */
export function l2tp(frame: Uint8Array, flags = 0x0002): Uint8Array {
  const fields = [
    numbers([2, 5], [2, 6]),
    ...((flags & 0x0800) === 0 ? [] : [numbers([2, 1], [2, 1])]),
    ...((flags & 0x0200) === 0 ? [] : [numbers([2, 2], [2, 0])]),
  ];
  const rest = concat(...fields, frame);
  const length = (flags & 0x4000) === 0 ? [] : [numbers([2, rest.length + 4])];
  return concat(numbers([2, flags]), ...length, rest);
}

/** The content of IP protocol 115; behind two reserved bytes and a version also that of UDP port 1701. */
export function l2tp3(content: Uint8Array, before = 0): Uint8Array {
  return concat(numbers([4, 0x01020304]), new Uint8Array(before).fill(0x5a), content);
}

/** The content of UDP port 4790. */
export function vxlanGpe(content: Uint8Array, protocol: number, network: number, flags = 0x0c): Uint8Array {
  return concat(numbers([1, flags], [2, 0], [1, protocol], [4, (network << 8) >>> 0]), content);
}

/** The content of UDP port 5072: an identity of 16 bytes, and a signature of 20. */
export function ayiya(content: Uint8Array, next: number, operation = 1): Uint8Array {
  return concat(numbers([1, 0x41], [1, 0x52], [1, 0x10 | operation], [1, next], [4, 1]), new Uint8Array(36), content);
}

/** The content of EtherType 0x88e7. */
export function backbone(frame: Uint8Array, service: number): Uint8Array {
  return concat(numbers([4, service]), frame);
}

/** The content of UDP port 5555: a pcap record. */
export function arubaMirror(
  frame: Uint8Array,
  length = frame.length,
  radio: Uint8Array = new Uint8Array(0),
): Uint8Array {
  return concat(numbers([4, 1_700_000_000], [4, 5], [4, frame.length], [4, length]), radio, frame);
}

/** The content of IP protocol 47 in version 1, with a length and a number of two bytes each, in PPTP or as in EoIP. */
export function greVersion1(content: Uint8Array, type: number, number: number, length = content.length): Uint8Array {
  return concat(numbers([2, 0x2001], [2, type], [2, length], [2, number]), content);
}

/** A PPP frame as it is in a tunnel: with address and control field. */
export function framedPpp(ip: Uint8Array): Uint8Array {
  return concat(numbers([2, 0xff03]), ppp(ip));
}

/** An ERSPAN header, type II or III. */
export function erspan(frame: Uint8Array, { type = 2, session = 0, truncated = false, kind = 0 } = {}): Uint8Array {
  const first = numbers([2, (type - 1) << 12], [2, session | (truncated ? 0x0400 : 0)]);
  return concat(first, type === 3 ? numbers([4, 0], [2, 0], [2, kind << 10]) : new Uint8Array(4), frame);
}

/** A packet of the Locator/ID Separation Protocol. */
export function lisp(ip: Uint8Array, instance: number): Uint8Array {
  return concat(numbers([4, 0x88000001], [4, ((instance << 8) | 1) >>> 0]), ip);
}

/** Generic UDP Encapsulation with a header, and optional fields in it. */
export function gue(content: Uint8Array, protocol: number, fields: Uint8Array = new Uint8Array(0)): Uint8Array {
  return concat(Uint8Array.of(fields.length / 4, protocol, 0, 0), fields, content);
}

/** What an access point and its controller exchange; the flags are those behind the kind of the radio. */
export function capwap(frame: Uint8Array, flags = 0, before: Uint8Array = new Uint8Array(0)): Uint8Array {
  const bits = ((((8 + before.length) / 4) << 19) | (1 << 9) | flags) >>> 0;
  return concat(numbers([4, bits], [4, 0]), before, frame);
}
