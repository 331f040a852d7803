import { u16 } from "../bytes.js";
import { Encapsulation, type Encapsulations, TOO_MANY_PATHS, TOO_MANY_PATHS_TEXT } from "../encapsulations.js";
import { pppName } from "../names.js";
// These two import each other: Ethernet carries PPP (PPPoE), and PPP what has an EtherType, and MPLS, as Ethernet does.
import { readEtherType, readMpls } from "./ethernet.js";
import { EtherType, found, type LinkPayload, tooLong } from "./link-payload.js";

/** Protocols of PPP (IANA registry) that lead on to an IP header. */
const PppProtocol = { ipv4: 0x0021, ipv6: 0x0057, mpls: 0x0281, mplsMulticast: 0x0283 } as const;

/** Address and control field of PPP in HDLC-like framing (RFC 1662, section 3.1), which may be left out. */
const ALL_STATIONS = 0xff;
const UNNUMBERED = 0x03;
/** What Cisco's framing has in place of the address: unicast and multicast (RFC 1547, section 4.3.1). */
const CISCO_UNICAST = 0x0f;
const CISCO_MULTICAST = 0x8f;
const CISCO_HEADER = 4;

const PPPOE_HEADER = 6;
/** Version and type of PPPoE, both 1, and the code of session data (RFC 2516, section 4). */
const PPPOE_SESSION = 0x1100;

/** Reads a PPP frame, with or without address and control field. The functions here return what `readLink` does. */
export function readPpp(start: number, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  const { data } = out;
  let at = start;
  if (data[at] === ALL_STATIONS && data[at + 1] === UNNUMBERED) at += 2;
  // A protocol below 256 may lack its upper byte; lower bytes are odd and upper ones even (RFC 1661, section 2).
  const isShort = ((data[at] ?? 0) & 1) === 1;
  const protocol = isShort ? (data[at] ?? 0) : u16(data, at);
  at += isShort ? 1 : 2;
  if (at > data.length) return out.lacks(at);
  switch (protocol) {
    case PppProtocol.ipv4:
      return found(EtherType.ipv4, at, out);
    case PppProtocol.ipv6:
      return found(EtherType.ipv6, at, out);
    case PppProtocol.mpls:
    case PppProtocol.mplsMulticast:
      return readMpls(at, encapsulations, out);
    default:
      return pppName(protocol);
  }
}

/** Reads a frame of a serial line, in PPP's or Cisco's framing. */
export function readHdlc(start: number, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  const { data } = out;
  const isCisco = data[start] === CISCO_UNICAST || data[start] === CISCO_MULTICAST;
  return isCisco ? readCiscoHdlc(start, encapsulations, out) : readPpp(start, encapsulations, out);
}

export function readCiscoHdlc(start: number, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  const at = start + CISCO_HEADER;
  if (at > out.data.length) return out.lacks(at);
  return readEtherType(at, u16(out.data, start + 2), encapsulations, out);
}

/** Reads a frame of a PPPoE session (RFC 2516, section 4), whose own length ends it before Ethernet's padding. */
export function readPppoe(start: number, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  const { data } = out;
  const at = start + PPPOE_HEADER;
  if (at > data.length) return out.lacks(at);
  if (u16(data, start) !== PPPOE_SESSION) return "PPPoE discovery";
  if (!out.endAt(at + u16(data, start + 4))) return tooLong("PPPoE");
  out.path = encapsulations.through(out.path, Encapsulation.pppoe, u16(data, start + 2));
  if (out.path === TOO_MANY_PATHS) return TOO_MANY_PATHS_TEXT;
  return readPpp(at, encapsulations, out);
}
