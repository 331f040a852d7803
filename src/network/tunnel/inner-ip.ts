import { u16 } from "../bytes.js";
import { EtherType } from "../link/link-payload.js";
import type { Carrier } from "../link/tunnelled.js";

const IPV4_HEADER = 20;
const IPV6_HEADER = 40;

/** The EtherType of the IP packet that begins at an offset, whose length fits; undefined if there is none. */
export function innerIp({ data, end, missing }: Carrier, start: number): number | undefined {
  if (start + 6 > end) return undefined;
  const first = data[start] ?? 0;
  const room = end + missing - start;
  if (first >>> 4 === 6) return IPV6_HEADER + u16(data, start + 4) <= room ? EtherType.ipv6 : undefined;
  const header = (first & 0xf) * 4;
  const length = u16(data, start + 2);
  const isIpv4 = first >>> 4 === 4 && header >= IPV4_HEADER && length >= header && length <= room;
  return isIpv4 ? EtherType.ipv4 : undefined;
}
