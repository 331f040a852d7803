import type { LimitName, Limits } from "../limits.js";
import { NO_PATH } from "./paths.js";

/** EtherTypes (IEEE registry) that lead to an IP header. */
export const EtherType = {
  ipv4: 0x0800,
  transparentEthernet: 0x6558,
  vlan: 0x8100,
  ipv6: 0x86dd,
  mpls: 0x8847,
  mplsMulticast: 0x8848,
  pppoe: 0x8864,
  serviceVlan: 0x88a8,
  /** Used for outer tags before 802.1ad. */
  oldServiceVlan: 0x9100,
} as const;

/** Numbers below this in place of an EtherType are lengths of IEEE 802.3 frames. */
export const FIRST_ETHER_TYPE = 0x600;

/** Where the IP header of a packet is; one object is used for all packets. */
export class LinkPayload {
  /** `EtherType.ipv4` or `EtherType.ipv6`. */
  etherType = 0;
  /** Offset of the IP header. */
  start = 0;
  /** The VLANs and tunnels that lead there, see `Paths`. */
  path: number = NO_PATH;
  /** Number of frames within the frame so far. */
  layers = 0;
  /** Number of VLAN tags so far. */
  tags = 0;
  readonly #limits: Limits;
  readonly #reached: (limit: LimitName) => void;

  /** @param reached called for a packet that has more frames within the frame, or tags, than the limits allow. */
  constructor(limits: Limits, reached: (limit: LimitName) => void) {
    this.#limits = limits;
    this.#reached = reached;
  }

  /** Enters a frame within the frame; false if that is not followed. */
  enterFrame(): boolean {
    this.layers++;
    if (this.layers <= this.#limits.frames) return true;
    this.#reached("frames");
    return false;
  }

  /** Enters what a VLAN tag precedes; false if that is not followed. */
  enterTag(): boolean {
    this.tags++;
    if (this.tags <= this.#limits.vlanTags) return true;
    this.#reached("vlanTags");
    return false;
  }
}

/** What a packet with an incomplete link header is called. */
export const CUT = "link header cut by the snap length";

export function found(etherType: number, start: number, out: LinkPayload): undefined {
  out.etherType = etherType;
  out.start = start;
}
