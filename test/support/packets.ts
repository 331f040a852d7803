import { oncePerName } from "./once.js";

/** Writes packets for tests: IP with TCP or UDP, in the link layers of captures. All of it is deterministic. */

export const Flag = { fin: 0x01, syn: 0x02, rst: 0x04, push: 0x08, ack: 0x10 } as const;

export type Address = readonly [address: string, port: number];

export interface Ends {
  readonly source: string;
  readonly sourcePort: number;
  readonly destination: string;
  readonly destinationPort: number;
}

export function endsOf([source, sourcePort]: Address, [destination, destinationPort]: Address): Ends {
  return { source, sourcePort, destination, destinationPort };
}

interface SegmentFields {
  readonly sequence?: number;
  readonly acknowledgment?: number;
  readonly flags?: number;
  readonly payload?: Uint8Array;
  /** TCP options; a multiple of four bytes. */
  readonly options?: Uint8Array;
}

export function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Consecutive big-endian numbers: [width in bytes, value] each. */
export function numbers(...fields: readonly (readonly [width: 1 | 2 | 4, value: number])[]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((length, [width]) => length + width, 0));
  let at = 0;
  for (const [width, value] of fields) {
    for (let index = width - 1, rest = value >>> 0; index >= 0; index--, rest >>>= 8) bytes[at + index] = rest & 0xff;
    at += width;
  }
  return bytes;
}

/** The 4 or 16 bytes of an address. */
export const addressBytes = oncePerName((address): Uint8Array => {
  if (!address.includes(":")) return Uint8Array.from(address.split("."), Number);
  const [head = "", tail] = address.split("::");
  const groups = (part: string): number[] => (part === "" ? [] : part.split(":").map((group) => parseInt(group, 16)));
  const first = groups(head);
  const last = groups(tail ?? "");
  const zeros = new Array<number>(8 - first.length - last.length).fill(0);
  return numbers(...[...first, ...zeros, ...last].map((group) => [2, group] as const));
});

/** An IPv4 or IPv6 packet, depending on the form of the addresses. */
export function ipPacket(protocol: number, source: string, destination: string, payload: Uint8Array): Uint8Array {
  return source.includes(":")
    ? ipv6Packet(protocol, source, destination, payload)
    : ipv4Packet(protocol, source, destination, payload);
}

interface Ipv4Fields {
  /** Options; a multiple of four bytes. */
  readonly options?: Uint8Array;
  /** Flags and fragment offset as one field. */
  readonly fragment?: number;
  readonly identification?: number;
  readonly totalLength?: number;
}

export function ipv4Packet(
  protocol: number,
  source: string,
  destination: string,
  payload: Uint8Array,
  { options = new Uint8Array(0), fragment = 0x4000, identification = 1, totalLength }: Ipv4Fields = {},
): Uint8Array {
  const length = 20 + options.length;
  const header = (checksum: number): Uint8Array =>
    concat(
      numbers([1, 0x40 | (length / 4)], [1, 0], [2, totalLength ?? length + payload.length]),
      numbers([2, identification], [2, fragment]),
      numbers([1, 64], [1, protocol], [2, checksum]),
      addressBytes(source),
      addressBytes(destination),
      options,
    );
  return concat(header(checksumOf(header(0))), payload);
}

/** @param extensions extension headers, whose next header fields lead on from `protocol`. */
export function ipv6Packet(
  protocol: number,
  source: string,
  destination: string,
  payload: Uint8Array,
  extensions: Uint8Array = new Uint8Array(0),
  payloadLength: number = extensions.length + payload.length,
): Uint8Array {
  return concat(
    numbers([4, 0x60000000], [2, payloadLength], [1, protocol], [1, 64]),
    addressBytes(source),
    addressBytes(destination),
    extensions,
    payload,
  );
}

/** A TCP header and its payload, without IP. */
export function tcpBytes(ends: Ends, fields: SegmentFields): Uint8Array {
  const { sequence = 0, acknowledgment = 0, flags = Flag.ack, payload = new Uint8Array(0) } = fields;
  const { options = new Uint8Array(0) } = fields;
  const whole = (checksum: number): Uint8Array =>
    concat(
      numbers([2, ends.sourcePort], [2, ends.destinationPort], [4, sequence], [4, acknowledgment]),
      numbers([1, ((20 + options.length) / 4) << 4], [1, flags], [2, 65535], [2, checksum], [2, 0]),
      options,
      payload,
    );
  return whole(transportChecksum(6, ends, whole(0)));
}

/** An IP packet with a TCP segment. */
export function tcpPacket(ends: Ends, fields: SegmentFields): Uint8Array {
  return ipPacket(6, ends.source, ends.destination, tcpBytes(ends, fields));
}

/** An IP packet with a UDP datagram. */
export function udpPacket(ends: Ends, payload: Uint8Array, length: number = 8 + payload.length): Uint8Array {
  const whole = (checksum: number): Uint8Array =>
    concat(numbers([2, ends.sourcePort], [2, ends.destinationPort], [2, length], [2, checksum]), payload);
  return ipPacket(17, ends.source, ends.destination, whole(transportChecksum(17, ends, whole(0))));
}

/** A UDP header and its payload, without IP. */
export function udpBytes(ends: Ends, payload: Uint8Array): Uint8Array {
  return udpPacket(ends, payload).subarray(ends.source.includes(":") ? 40 : 20);
}

/**
 * The fragments of the payload of an IP packet, in order.
 * @param lengths of all but the last one; multiples of 8.
 */
export function ipFragments(
  protocol: number,
  source: string,
  destination: string,
  payload: Uint8Array,
  lengths: readonly number[],
  identification = 7,
): Uint8Array[] {
  let at = 0;
  return [...lengths, payload.length].map((length) => {
    const part = payload.subarray(at, at + length);
    const more = at + part.length < payload.length;
    const offset = at;
    at += part.length;
    if (!source.includes(":")) {
      const fragment = (more ? 0x2000 : 0) | (offset / 8);
      return ipv4Packet(protocol, source, destination, part, { fragment, identification });
    }
    const header = numbers([1, protocol], [1, 0], [2, offset | (more ? 1 : 0)], [4, identification]);
    return ipv6Packet(44, source, destination, part, header);
  });
}

const MAC_ADDRESSES = numbers([4, 0x02000000], [2, 1], [4, 0x02000000], [2, 2]);

function etherType(ip: Uint8Array): number {
  return (ip[0] ?? 0) >>> 4 === 6 ? 0x86dd : 0x0800;
}

/**
 * Link type 1.
 * @param tags EtherTypes of VLAN tags, the outermost first.
 */
export function ethernet(
  ip: Uint8Array,
  tags: readonly number[] = [],
  type: number = etherType(ip),
  vlan = 100,
): Uint8Array {
  return concat(MAC_ADDRESSES, ...tags.map((tag) => numbers([2, tag], [2, vlan])), numbers([2, type]), ip);
}

/** Link type 1 with a length and LLC and SNAP headers in place of the EtherType. */
export function snap(ip: Uint8Array, organisation = 0, type: number = etherType(ip)): Uint8Array {
  const header = numbers([1, 0xaa], [1, 0xaa], [1, 3], [1, organisation >> 16], [2, organisation & 0xffff], [2, type]);
  return concat(MAC_ADDRESSES, numbers([2, header.length + ip.length]), header, ip);
}

/** A stack of MPLS labels before a packet; each label's number is given. */
export function mpls(packet: Uint8Array, labels: readonly number[]): Uint8Array {
  const words = labels.map((label, index) => {
    const isLast = index === labels.length - 1;
    return numbers([4, ((label << 12) | (isLast ? 0x100 : 0) | 64) >>> 0]);
  });
  return concat(...words, packet);
}

/** A PPP frame: protocol and packet, without address and control field. */
export function ppp(ip: Uint8Array, protocol: number = etherType(ip) === 0x86dd ? 0x57 : 0x21): Uint8Array {
  return concat(numbers([2, protocol]), ip);
}

/** The content of Ethernet type 0x8864. */
export function pppoe(frame: Uint8Array, session = 7): Uint8Array {
  return concat(numbers([1, 0x11], [1, 0], [2, session], [2, frame.length]), frame);
}

interface Ieee80211Fields {
  readonly subtype?: number;
  readonly flags?: number;
  readonly qosControl?: number;
  readonly sequenceControl?: number;
}

/** Link type 105: a data frame with LLC and SNAP headers. */
export function ieee80211(ip: Uint8Array, fields: Ieee80211Fields = {}, padding = 0): Uint8Array {
  const { subtype = 0, flags = 1, qosControl, sequenceControl = 0 } = fields;
  const bytes = [numbers([1, 0x08 | (subtype << 4)], [1, flags], [2, 0]), MAC_ADDRESSES, MAC_ADDRESSES.subarray(6)];
  bytes.push(Uint8Array.of(sequenceControl, 0));
  if ((flags & 3) === 3) bytes.push(MAC_ADDRESSES.subarray(0, 6));
  if (qosControl !== undefined) bytes.push(Uint8Array.of(qosControl, 0));
  if (qosControl !== undefined && (flags & 0x80) !== 0) bytes.push(new Uint8Array(4));
  return concat(...bytes, new Uint8Array(padding), snap(ip).subarray(14));
}

/**
 * Link type 127.
 * @param flags value of the flags field.
 * @param words of the fields that are present, beyond the first one.
 */
export function radiotap(frame: Uint8Array, flags = 0, words = 0): Uint8Array {
  const more = words > 0 ? 0x80 : 0;
  const present = concat(
    Uint8Array.of(3, 0, 0, more),
    ...Array.from({ length: words }, (_, index) => {
      return Uint8Array.of(0, 0, 0, index < words - 1 ? 0x80 : 0);
    }),
  );
  const gap = -(4 + present.length) & 7;
  const length = 4 + present.length + gap + 9;
  const header = concat(Uint8Array.of(0, 0, length, 0), present, new Uint8Array(gap + 8), Uint8Array.of(flags));
  return concat(header, frame);
}

interface GreFields {
  readonly type?: number;
  readonly checksum?: boolean;
  readonly key?: number;
  readonly sequence?: number;
}

/** The content of IP protocol 47. */
export function gre(packet: Uint8Array, fields: GreFields = {}): Uint8Array {
  const { type = etherType(packet), checksum = false, key, sequence } = fields;
  const flags = (checksum ? 0x8000 : 0) | (key === undefined ? 0 : 0x2000) | (sequence === undefined ? 0 : 0x1000);
  const optional = [
    ...(checksum ? [numbers([4, 0])] : []),
    ...(key === undefined ? [] : [numbers([4, key])]),
    ...(sequence === undefined ? [] : [numbers([4, sequence])]),
  ];
  return concat(numbers([2, flags], [2, type]), ...optional, packet);
}

/** The content of UDP port 4789. */
export function vxlan(frame: Uint8Array, network: number, flags = 0x08000000): Uint8Array {
  return concat(numbers([4, flags], [4, (network << 8) >>> 0]), frame);
}

/** The content of UDP port 6081; options are a multiple of four bytes. */
export function geneve(packet: Uint8Array, network: number, type: number, options = new Uint8Array(0)): Uint8Array {
  const header = numbers([1, options.length / 4], [1, 0], [2, type], [4, (network << 8) >>> 0]);
  return concat(header, options, packet);
}

/**
 * The content of UDP port 2152.
 * @param extensions extension headers, each with the type of the next one as its last byte; the first type is 0x85.
 */
export function gtp(packet: Uint8Array, endpoint: number, extensions?: Uint8Array): Uint8Array {
  const further = extensions === undefined ? new Uint8Array(0) : concat(numbers([2, 1], [1, 0], [1, 0x85]), extensions);
  const flags = extensions === undefined ? 0x30 : 0x36;
  const length = further.length + packet.length;
  return concat(numbers([1, flags], [1, 0xff], [2, length], [4, endpoint]), further, packet);
}
/** Link type 113. */
export function linuxCooked(ip: Uint8Array): Uint8Array {
  return concat(numbers([2, 0], [2, 1], [2, 6], [4, 0x02000000], [4, 0x00010000], [2, etherType(ip)]), ip);
}

/** Link type 276. */
export function linuxCooked2(ip: Uint8Array): Uint8Array {
  const header = numbers([2, etherType(ip)], [2, 0], [4, 1], [2, 1], [1, 0], [1, 6], [4, 0x02000000], [4, 0x00010000]);
  return concat(header, ip);
}

/** Link type 0 in the byte order of the recorder, or 108 (always big-endian). */
export function addressFamily(ip: Uint8Array, family: number, little: boolean): Uint8Array {
  return concat(little ? numbers([4, family]).reverse() : numbers([4, family]), ip);
}

/** The two ends of a TCP connection with their sequence numbers. Every method returns one IP packet. */
export class TcpTalk {
  readonly #ends: readonly [Ends, Ends];
  readonly #next: [number, number];

  constructor(client: Address, server: Address, initial: readonly [number, number]) {
    this.#ends = [endsOf(client, server), endsOf(server, client)];
    this.#next = [initial[0] >>> 0, initial[1] >>> 0];
  }

  /** The next sequence number of a side. */
  next(side: 0 | 1): number {
    return this.#next[side];
  }

  /** A packet with given fields; leaves the sequence numbers unchanged. */
  raw(side: 0 | 1, fields: SegmentFields): Uint8Array {
    const numbering = { sequence: this.#next[side], acknowledgment: this.#next[side === 0 ? 1 : 0] };
    return tcpPacket(this.#ends[side], { ...numbering, ...fields });
  }

  /** The three packets that open the connection. */
  handshake(): Uint8Array[] {
    return [this.#send(0, Flag.syn), this.#send(1, Flag.syn | Flag.ack), this.raw(0, {})];
  }

  send(side: 0 | 1, payload: Uint8Array | string, flags: number = Flag.ack | Flag.push): Uint8Array {
    return this.#send(side, flags, typeof payload === "string" ? text(payload) : payload);
  }

  ack(side: 0 | 1): Uint8Array {
    return this.raw(side, {});
  }

  syn(side: 0 | 1, flags: number = Flag.syn, payload: Uint8Array = new Uint8Array(0)): Uint8Array {
    return this.#send(side, flags, payload);
  }

  fin(side: 0 | 1, payload: Uint8Array = new Uint8Array(0)): Uint8Array {
    return this.#send(side, Flag.fin | Flag.ack, payload);
  }

  rst(side: 0 | 1, payload: Uint8Array = new Uint8Array(0)): Uint8Array {
    return this.raw(side, { flags: Flag.rst | Flag.ack, payload });
  }

  #send(side: 0 | 1, flags: number, payload: Uint8Array = new Uint8Array(0)): Uint8Array {
    const packet = this.raw(side, { flags, payload });
    const extra = (flags & (Flag.syn | Flag.fin)) === 0 ? 0 : 1;
    this.#next[side] = (this.#next[side] + payload.length + extra) >>> 0;
    return packet;
  }
}

function transportChecksum(protocol: number, ends: Ends, segment: Uint8Array): number {
  const pseudo = concat(addressBytes(ends.source), addressBytes(ends.destination));
  return checksumOf(concat(pseudo, numbers([4, segment.length], [4, protocol]), segment));
}

/** The Internet checksum (RFC 1071). */
function checksumOf(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 2) sum += ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}
