import { u16, u16Little } from "./bytes.js";
import { CUT } from "./link-payload.js";
import { LinkType } from "./link-type.js";

// Headers that recorders put before a frame to say what they know about it.

/** The frame after such a header. */
export interface Framed {
  /** Link type of the frame. */
  readonly linkType: number;
  readonly start: number;
}

const PPI_HEADER = 8;
const PKTAP_HEADER = 12;
/** The record holds a packet. */
const PKTAP_PACKET = 1;

/**
 * Per-Packet Information: version, flags, length of the header, link type; little-endian. Source: PPI header 1.0.10.
 */
export function readPpi(data: Uint8Array): Framed | string {
  if (data.length < PPI_HEADER) return CUT;
  const start = u16Little(data, 2);
  if (data[0] !== 0 || start < PPI_HEADER) return "malformed PPI header";
  return start > data.length ? CUT : { linkType: u16Little(data, 4), start };
}

/**
 * Header of macOS captures of several interfaces at once, little-endian. Source: XNU, bsd/net/pktap.h, struct
 * pktap_header.
 */
export function readPktap(data: Uint8Array): Framed | string {
  if (data.length < PKTAP_HEADER) return CUT;
  const start = u16Little(data, 0);
  if (start < PKTAP_HEADER || u16Little(data, 2) !== 0) return "malformed PKTAP header";
  if (u16Little(data, 4) !== PKTAP_PACKET) return "PKTAP record without a packet";
  return start > data.length ? CUT : { linkType: u16Little(data, 8), start };
}

const NFLOG_HEADER = 4;
const NFLOG_VALUE = 4;
/** The value that holds the packet (linux/netfilter/nfnetlink_log.h, NFULA_PAYLOAD). */
const NFLOG_PAYLOAD = 9;

/**
 * Packets that a Linux firewall rule picks: a header, then values with length and type in the byte order of the
 * recording machine, each padded to a multiple of four bytes. Source: tcpdump.org, LINKTYPE_NFLOG.
 */
export function readNflog(data: Uint8Array): Framed | string {
  // The first value is short: one byte of its length is zero, and which one shows the byte order.
  const read = data[NFLOG_HEADER] === 0 ? u16 : u16Little;
  for (let at = NFLOG_HEADER; at + NFLOG_VALUE <= data.length; ) {
    const length = read(data, at);
    if (length < NFLOG_VALUE) return "malformed NFLOG value";
    // An IP packet, without a link layer of its own.
    if ((read(data, at + 2) & 0x7fff) === NFLOG_PAYLOAD) return { linkType: LinkType.rawIp, start: at + NFLOG_VALUE };
    at += (length + 3) & ~3;
  }
  return CUT;
}
