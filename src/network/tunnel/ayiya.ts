import { Encapsulation } from "../encapsulations.js";
import { IpProtocol } from "../ip/ip.js";
import { EtherType } from "../link/link-payload.js";
import { blockedBy, type Carrier, lacks, leadsTo, type Tunnelled } from "../link/tunnelled.js";
import { readGre } from "./gre.js";

const HEADER = 8;
/** Operations that carry a packet, perhaps with a wish for an echo (draft-massar-v6ops-ayiya, section 4.1). */
const Operation = { none: 0, forward: 1, last: 6 } as const;
const NO_CONTENT = 59;

/** Reads what Anything In Anything carries; false if it is something else. */
export function readAyiya(carrier: Carrier, out: Tunnelled): boolean {
  const { data, start, end, missing } = carrier;
  const identity = data[start] ?? 0;
  const operation = (data[start + 2] ?? 0) & 0xf;
  // The length of the identity is a power of two; that of the signature is in units of four bytes.
  const at = start + HEADER + 2 ** (identity >>> 4) + ((data[start + 1] ?? 0) >>> 4) * 4;
  const isHeader = start + HEADER <= end && at <= end + missing && operation <= Operation.last;
  const next = data[start + 3] ?? 0;
  const isContent = next === IpProtocol.ipv4 || next === IpProtocol.ipv6 || next === IpProtocol.gre;
  if (!isHeader || (!isContent && next !== NO_CONTENT)) return false;
  if (operation !== Operation.forward || !isContent) return blockedBy(out, "AYIYA without a packet");
  if (at >= end) return lacks(out, "AYIYA", carrier, at + 1);
  if (next === IpProtocol.gre) return readGre({ data, start: at, end, missing }, out);
  const version = next === IpProtocol.ipv4 ? 4 : 6;
  if ((data[at] ?? 0) >>> 4 !== version) return false;
  return leadsTo(out, version === 4 ? EtherType.ipv4 : EtherType.ipv6, at, Encapsulation.ayiya);
}
