import { u16, u24 } from "../bytes.js";
import { Encapsulation } from "../encapsulations.js";
import { EtherType } from "../link/link-payload.js";
import { blockedBy, type Carrier, leadsTo, type Tunnelled } from "../link/tunnelled.js";
import { isUsualFrame } from "../link/usual-frame.js";

const HEADER = 8;
const ETHERNET_HEADER = 14;
/** Flags: the network identifier is valid; the packet says what it carries; it is for the tunnel's own management. */
const Flag = { identifier: 0x08, protocol: 0x04, management: 0x01 } as const;
/** Flag of an extension that marks traffic with a group (draft-smith-vxlan-group-policy). */
const GROUP = 0x80;

/**
 * RFC 7348, section 5. Reserved bits are ignored, as the RFC says; but as ports have other uses, what has some of them
 * is a tunnel only if a frame of a usual kind follows.
 */
export function readVxlan(carrier: Carrier, out: Tunnelled): boolean {
  const { data, start: at, end, missing } = carrier;
  const start = at + HEADER;
  const flags = data[at] ?? 0;
  if (start > end || (flags & Flag.identifier) === 0 || start + ETHERNET_HEADER > end + missing) return false;
  const isPlain = flags === Flag.identifier && data[at + 1] === 0 && u16(data, at + 2) === 0;
  const isKnown = (isPlain || flags === (GROUP | Flag.identifier)) && data[at + 7] === 0;
  if (!isKnown && start + ETHERNET_HEADER <= end && !isUsualFrame(data, start)) return false;
  return leadsTo(out, EtherType.transparentEthernet, start, Encapsulation.vxlan, u24(data, at + 4));
}

/** What VXLAN-GPE carries (IANA registry "VXLAN-GPE Next Protocol"). */
const NEXT_PROTOCOLS = new Map<number, number>([
  [1, EtherType.ipv4],
  [2, EtherType.ipv6],
  [3, EtherType.transparentEthernet],
  [5, EtherType.mpls],
]);
const NETWORK_SERVICE_HEADER = 4;

/** draft-ietf-nvo3-vxlan-gpe, section 3. Without the flag for it, the content is Ethernet, as in VXLAN. */
export function readVxlanGpe(carrier: Carrier, out: Tunnelled): boolean {
  const { data, start: at, end } = carrier;
  const start = at + HEADER;
  const flags = data[at] ?? 0;
  // The highest two bits are reserved, and the next two are the version, 0.
  if (start > end || flags >>> 4 !== 0 || (flags & Flag.identifier) === 0) return false;
  const identifier = u24(data, at + 4);
  // Nothing else shows that these are not messages of others: of them, what is reserved has to be 0.
  const isPlain = u16(data, at + 1) === 0 && data[at + 7] === 0;
  if ((flags & Flag.management) !== 0) return isPlain && blockedBy(out, "VXLAN-GPE management");
  if ((flags & Flag.protocol) === 0) return readVxlan(carrier, out);
  const protocol = data[at + 3] ?? 0;
  const etherType = NEXT_PROTOCOLS.get(protocol);
  if (etherType !== undefined) return leadsTo(out, etherType, start, Encapsulation.vxlanGpe, identifier);
  return (
    isPlain &&
    protocol !== 0 &&
    blockedBy(out, protocol === NETWORK_SERVICE_HEADER ? "VXLAN-GPE with NSH" : `VXLAN-GPE protocol ${protocol}`)
  );
}
