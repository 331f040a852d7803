import { Encapsulation } from "../encapsulations.js";
import { EtherType } from "../link/link-payload.js";
import { type Carrier, leadsTo, type Tunnelled } from "../link/tunnelled.js";
import { isUsualFrame } from "../link/usual-frame.js";
import { innerIp } from "./inner-ip.js";

const LABEL = 4;
const CONTROL_WORD = 4;

/** Reads MPLS in IP (RFC 4023) or UDP (RFC 7510); false if what follows the labels is neither IP nor a usual frame. */
export function readTunnelledMpls(carrier: Carrier, out: Tunnelled): boolean {
  const { data, start, end } = carrier;
  let at = start;
  let isLast = false;
  for (; !isLast && at + LABEL <= end; at += LABEL) isLast = ((data[at + 2] ?? 0) & 1) === 1;
  if (!isLast) return false;
  const isFollowed = innerIp(carrier, at) !== undefined || isUsual(carrier, at) || isUsual(carrier, at + CONTROL_WORD);
  return isFollowed && leadsTo(out, EtherType.mpls, start, Encapsulation.mpls);
}

const ETHERNET_HEADER = 14;

function isUsual({ data, end }: Carrier, start: number): boolean {
  return start + ETHERNET_HEADER < end && isUsualFrame(data, start);
}
