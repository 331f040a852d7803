import { u16 } from "../bytes.js";
import type { Encapsulations } from "../encapsulations.js";
import { readEtherType } from "./ethernet.js";
import { EtherType, type LinkPayload, tooLong } from "./link-payload.js";

// Sources: InfiniBand Architecture Specification, volume 1, chapters 7 to 9; RFC 4391. The functions here return what
// `readLink` does.

const LOCAL_HEADER = 8;
const GLOBAL_HEADER = 40;
const TRANSPORT_HEADER = 12;
const DATAGRAM_HEADER = 8;
const IMMEDIATE = 4;
const INVARIANT_CHECKSUM = 4;
/** EtherType and two reserved bytes (RFC 4391, section 6). */
const IP_HEADER = 4;
const ARP = 0x0806;

/** In the local header: what comes next. */
const Next = { mask: 3, transport: 2, global: 3 } as const;
/** Operations of the transport header that carry a whole message: connected, datagram, datagram with immediate data. */
const Operation = { connected: 0x04, datagram: 0x64, datagramImmediate: 0x65 } as const;

/** IP over InfiniBand: some recorders put the global routing header before it. */
export function readIpOverInfiniband(
  start: number,
  encapsulations: Encapsulations,
  out: LinkPayload,
): string | undefined {
  const at = isEncapsulation(out, start) ? start : start + GLOBAL_HEADER;
  if (at + IP_HEADER > out.data.length) return out.lacks(at + IP_HEADER);
  return readEtherType(at + IP_HEADER, u16(out.data, at), encapsulations, out);
}

/** A packet of InfiniBand from its local routing header on, which carries IP or something else. */
export function readInfiniband(start: number, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  const { data } = out;
  if (start + LOCAL_HEADER > data.length) return out.lacks(start + LOCAL_HEADER);
  const next = (data[start + 1] ?? 0) & Next.mask;
  // In units of four bytes, from this header up to and including the invariant checksum.
  const end = start + (u16(data, start + 4) & 0x7ff) * 4;
  let at = start + LOCAL_HEADER;
  if (next === Next.global) at += GLOBAL_HEADER;
  else if (next !== Next.transport) return "InfiniBand without IP";
  const transport = at;
  at += TRANSPORT_HEADER;
  if (at > data.length) return out.lacks(at);
  const operation = data[transport] ?? 0;
  if (operation === Operation.datagram) at += DATAGRAM_HEADER;
  else if (operation === Operation.datagramImmediate) at += DATAGRAM_HEADER + IMMEDIATE;
  else if (operation !== Operation.connected) return "InfiniBand without IP";
  const padding = ((data[transport + 1] ?? 0) >>> 4) & 3;
  if (end > out.length) return tooLong("InfiniBand");
  out.endAt(Math.max(0, end - INVARIANT_CHECKSUM - padding));
  if (at + IP_HEADER > out.data.length) return out.lacks(at + IP_HEADER);
  return isEncapsulation(out, at)
    ? readEtherType(at + IP_HEADER, u16(data, at), encapsulations, out)
    : "InfiniBand without IP";
}

/** Whether an encapsulation header (RFC 4391, section 6) is at an offset; most other data looks different. */
function isEncapsulation({ data }: LinkPayload, at: number): boolean {
  const type = u16(data, at);
  return u16(data, at + 2) === 0 && (type === EtherType.ipv4 || type === EtherType.ipv6 || type === ARP);
}
