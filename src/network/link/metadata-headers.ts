import { i32, u16, u16Little } from "../bytes.js";
import { DAMAGED, FRAME_CHECK_SEQUENCE } from "./ieee80211.js";
import { EtherType, type LinkPayload, tooLong } from "./link-payload.js";
import { LinkType } from "./link-type.js";

// Headers that recorders put before a frame to say what they know about it. The functions here read `out.data`.

/** The frame after such a header. */
export interface Framed {
  /** Link type of the frame. */
  readonly linkType: number;
  readonly start: number;
}

const PPI_HEADER = 8;
const PPI_FIELD = 4;
/** The field "802.11-Common", and those of its flags that matter here. */
const PPI_COMMON = 2;
const PpiFlag = { checksum: 0x01, badChecksum: 0x04 } as const;
const PKTAP_HEADER = 12;
/** The record holds a packet. */
const PKTAP_PACKET = 1;

/**
 * Per-Packet Information: version, flags, length of the header, link type; little-endian. Source: PPI header 1.0.10.
 */
export function readPpi(start: number, out: LinkPayload): Framed | string {
  const { data } = out;
  if (data.length < start + PPI_HEADER) return out.lacks(start + PPI_HEADER);
  const length = u16Little(data, start + 2);
  if (data[start] !== 0 || length < PPI_HEADER) return "malformed PPI header";
  const end = start + length;
  if (end > out.length) return tooLong("PPI");
  if (end > data.length) return out.lacks(end);
  const linkType = u16Little(data, start + 4);
  if (linkType === LinkType.ieee80211) {
    const flags = ppiFlags(data, start + PPI_HEADER, end);
    if ((flags & PpiFlag.badChecksum) !== 0) return DAMAGED;
    if ((flags & PpiFlag.checksum) !== 0) out.endAt(Math.max(end, out.length - FRAME_CHECK_SEQUENCE));
  }
  return { linkType, start: end };
}

/** The flags of the field "802.11-Common" of a PPI header; 0 without it. */
function ppiFlags(data: Uint8Array, start: number, end: number): number {
  for (let at = start; at + PPI_FIELD <= end; at += PPI_FIELD + u16Little(data, at + 2)) {
    if (u16Little(data, at) === PPI_COMMON) return u16Little(data, at + PPI_FIELD + 8);
  }
  return 0;
}

/**
 * Header of macOS captures of several interfaces at once, little-endian. Source: XNU, bsd/net/pktap.h, struct
 * pktap_header.
 */
export function readPktap(out: LinkPayload): Framed | string {
  const { data } = out;
  if (data.length < PKTAP_HEADER) return out.lacks(PKTAP_HEADER);
  const start = u16Little(data, 0);
  if (start < PKTAP_HEADER || u16Little(data, 2) !== 0) return "malformed PKTAP header";
  if (u16Little(data, 4) !== PKTAP_PACKET) return "PKTAP record without a packet";
  if (start > out.length) return tooLong("PKTAP");
  return start > data.length ? out.lacks(start) : { linkType: u16Little(data, 8), start };
}

const NFLOG_HEADER = 4;
const NFLOG_VALUE = 4;
/** The value that holds the packet (linux/netfilter/nfnetlink_log.h, NFULA_PAYLOAD). */
const NFLOG_PAYLOAD = 9;

/**
 * Packets that a Linux firewall rule picks: a header, then values with length and type in the byte order of the
 * recording machine, each padded to a multiple of four bytes. Source: tcpdump.org, LINKTYPE_NFLOG.
 */
export function readNflog(out: LinkPayload): Framed | string {
  const { data } = out;
  // The first value is short: one byte of its length is zero, and which one shows the byte order.
  const read = data[NFLOG_HEADER] === 0 ? u16 : u16Little;
  let at = NFLOG_HEADER;
  while (at + NFLOG_VALUE <= data.length) {
    const length = read(data, at);
    if (length < NFLOG_VALUE) return "malformed NFLOG value";
    if ((read(data, at + 2) & 0x7fff) === NFLOG_PAYLOAD) {
      // An IP packet, without a link layer of its own.
      return out.endAt(at + length) ? { linkType: LinkType.rawIp, start: at + NFLOG_VALUE } : tooLong("NFLOG");
    }
    at += (length + 3) & ~3;
  }
  return data.length < out.length ? out.lacks(out.length) : "NFLOG without a packet";
}

const PFLOG_FAMILY = 1;
const PFLOG_SHORTEST = 45;

/**
 * What BSD's packet filter logs: a header with its length, padded to a multiple of four bytes, and the address family
 * of the packet. Source: OpenBSD, sys/net/if_pflog.h, struct pfloghdr.
 */
export function readPflog(out: LinkPayload): Framed | string {
  const { data } = out;
  if (data.length < 1) return out.lacks(1, "pflog");
  const length = data[0] ?? 0;
  if (length < PFLOG_SHORTEST) return "malformed pflog header";
  const start = (length + 3) & ~3;
  if (start > data.length) return out.lacks(start, "pflog");
  const etherType = familyType(data[PFLOG_FAMILY] ?? 0);
  if (etherType === undefined) return `pflog with address family ${data[PFLOG_FAMILY]}`;
  return { linkType: etherType === EtherType.ipv4 ? LinkType.ipv4 : LinkType.ipv6, start };
}

const ENC_HEADER = 12;

/**
 * What BSD's enc(4) shows of IPsec, decrypted: address family in the byte order of the recording machine, security
 * parameters and flags. Source: tcpdump.org, LINKTYPE_ENC.
 */
export function readEnc(out: LinkPayload): Framed | string {
  const { data } = out;
  if (data.length < ENC_HEADER) return out.lacks(ENC_HEADER, "enc");
  const family = familyAt(data, 0);
  const etherType = familyType(family);
  if (etherType === undefined) return `enc with address family ${family}`;
  return { linkType: etherType === EtherType.ipv4 ? LinkType.ipv4 : LinkType.ipv6, start: ENC_HEADER };
}

/** An address family in either byte order: families are small numbers, so only one order gives a small number. */
export function familyAt(data: Uint8Array, at: number): number {
  return u16(data, at) === 0 ? u16(data, at + 2) : u16Little(data, at);
}

/** The EtherType of an address family, whose number for IPv6 differs between systems; undefined for any other. */
export function familyType(family: number): number | undefined {
  switch (family) {
    case 2:
      return EtherType.ipv4;
    // Linux; Windows; NetBSD, OpenBSD and BSD/OS; FreeBSD; macOS.
    case 10:
    case 23:
    case 24:
    case 28:
    case 30:
      return EtherType.ipv6;
    default:
      return undefined;
  }
}

const EXPORTED_TAG = 4;
/**
 * Tags of an exported PDU: the last one; the one that names its protocol; those that name a table of protocols and a
 * number in it instead (Wireshark, epan/exported_pdu.h).
 */
const ExportedTag = { end: 0, protocol: 12, table: 14, number: 32 } as const;
/** Names of Wireshark's dissectors for what leads to IP. */
const EXPORTED_PROTOCOLS = new Map<string, number>([
  ["ip", LinkType.rawIp],
  ["ipv6", LinkType.ipv6],
  ["eth", LinkType.ethernet],
  ["eth_withoutfcs", LinkType.ethernet],
  ["eth_withfcs", LinkType.ethernet],
  ["eth_maybefcs", LinkType.ethernet],
]);
/** The same for numbers in tables: EtherTypes, and Wireshark's own numbers of link types (wiretap/wtap.h). */
const EXPORTED_TABLES: ReadonlyMap<string, ReadonlyMap<number, number>> = new Map([
  [
    "ethertype",
    new Map<number, number>([
      [EtherType.ipv4, LinkType.ipv4],
      [EtherType.ipv6, LinkType.ipv6],
      [EtherType.transparentEthernet, LinkType.ethernet],
    ]),
  ],
  [
    "wtap_encap",
    new Map<number, number>([
      [1, LinkType.ethernet],
      [7, LinkType.rawIp],
      [129, LinkType.ipv4],
      [130, LinkType.ipv6],
    ]),
  ],
]);
const PRINTABLE_NAME = /^[\w.-]{1,40}$/;

/** What Wireshark exports of its dissection: tags with a length, the last of them empty, then the data. */
export function readExported(out: LinkPayload): Framed | string {
  const { data } = out;
  let protocol = "";
  let table = "";
  let number: number | undefined;
  for (let at = 0; ; ) {
    if (at + EXPORTED_TAG > data.length) return out.lacks(at + EXPORTED_TAG, "exported PDU");
    const tag = u16(data, at);
    const start = at + EXPORTED_TAG;
    const end = start + u16(data, at + 2);
    if (end > data.length) return out.lacks(end, "exported PDU");
    if (tag === ExportedTag.end) {
      const inTable = number === undefined ? undefined : EXPORTED_TABLES.get(table)?.get(number);
      const linkType = EXPORTED_PROTOCOLS.get(protocol) ?? inTable;
      if (linkType !== undefined) return { linkType, start: end };
      if (protocol === "" && number !== undefined && PRINTABLE_NAME.test(table)) {
        return `exported PDU (${table} ${number})`;
      }
      return PRINTABLE_NAME.test(protocol) ? `exported PDU (${protocol})` : "exported PDU";
    }
    if (tag === ExportedTag.protocol) protocol = nameIn(data, start, end);
    else if (tag === ExportedTag.table) table = nameIn(data, start, end);
    else if (tag === ExportedTag.number && end - start >= 4) number = i32(data, start) >>> 0;
    at = end;
  }
}

/** A name in ASCII, padded with zeros. */
function nameIn(data: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...data.subarray(start, Math.min(end, start + 64))).replace(/\0+$/, "");
}
