import type { LimitName, Limits } from "../../limits.js";
import { NO_PATH } from "../encapsulations.js";

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
  /** The I-TAG of provider backbone bridges (IEEE 802.1ah). */
  backbone: 0x88e7,
  /** The tag of Cisco's network interface virtualization, VN-Tag, and what IEEE 802.1BR has made of it, E-Tag. */
  vnTag: 0x8926,
  eTag: 0x893f,
  /** Used for outer tags before 802.1ad. */
  oldServiceVlan: 0x9100,
} as const;

/** Numbers below this in place of an EtherType are lengths of IEEE 802.3 frames. */
export const FIRST_ETHER_TYPE = 0x600;

/** Where the IP header of a packet is; one object is used for all packets. */
export class LinkPayload {
  /** The captured bytes up to the end of the innermost layer that gives its own length; offsets refer to these. */
  data: Uint8Array = new Uint8Array(0);
  /** Length on the wire of what `data` holds: larger where the snap length cut it. */
  length = 0;
  /** The same with what is behind the end of that layer, such as padding: the length of the whole frame. */
  frameLength = 0;
  /** `EtherType.ipv4` or `EtherType.ipv6`. */
  etherType = 0;
  /** Offset of the IP header. */
  start = 0;
  /** The VLANs and tunnels that lead there, see `Encapsulations`. */
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

  /** Begins with a packet. */
  begin(data: Uint8Array, length: number): void {
    this.enter(data, length, length);
    this.path = NO_PATH;
    this.layers = 0;
    this.tags = 0;
  }

  /**
   * Enters what a tunnel carries; the lengths are those on the wire. A damaged capture may claim less than it holds.
   * @param frameLength the length with what is behind it in the packet around it.
   */
  enter(data: Uint8Array, length: number, frameLength: number): void {
    this.data = data;
    this.length = Math.max(length, data.length);
    this.frameLength = Math.max(frameLength, this.length);
  }

  /**
   * Ends the frame where a layer's own length says so: what follows is padding or a checksum.
   * @returns false if the frame ends before that, so the length is wrong.
   */
  endAt(end: number): boolean {
    if (end > this.length) return false;
    this.length = end;
    if (end < this.data.length) this.data = this.data.subarray(0, end);
    return true;
  }

  /** What a packet is whose bytes up to `end`, of a header with the given name, are not there. */
  lacks(end: number, name = "link"): string {
    return end > this.length ? `malformed ${name} header` : `${name} header cut by the snap length`;
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

/** What a packet is in which a layer claims to be longer than what it is in. */
export function tooLong(name: string): string {
  return `${name} length beyond the end of the frame`;
}

/** Enters what a packet holds, by its EtherType, and the offset in the frame at which it begins. */
export function found(etherType: number, start: number, out: LinkPayload): undefined {
  out.etherType = etherType;
  out.start = start;
}
