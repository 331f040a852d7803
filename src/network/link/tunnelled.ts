import { Encapsulation } from "../encapsulations.js";
import { EtherType } from "./link-payload.js";
import { LinkType } from "./link-type.js";

/**
 * The content of a tunnel, and what distinguishes the tunnel from others between the same ends; one object is used for
 * all.
 */
export class Tunnelled {
  /** EtherType of the content; 0 if it is a frame. */
  etherType = 0;
  /** Link type of the content where it is a frame. */
  linkType = 0;
  /** Offset of the content in the data of the packet around it, and of its end where the tunnel says so. */
  start = 0;
  end = 0;
  /** Length of the content before the tunnel's own beginning cut it; 0 if it did not. Infinite if it does not say. */
  originalLength = 0;
  encapsulation: Encapsulation = Encapsulation.ip;
  number = 0;
  /** Why it cannot be followed, in which case the rest is not set; empty if it can. */
  obstacle = "";
}

/** Bytes of a packet in which a tunnel's header is looked for: the payload of IP or UDP. */
export interface Carrier {
  readonly data: Uint8Array;
  readonly start: number;
  /** Offset after the last captured byte; `missing` bytes follow that were not captured. */
  readonly end: number;
  readonly missing: number;
}

/** The tunnel leads to what an EtherType says; true for a tunnel, as in the other functions here. */
export function leadsTo(
  out: Tunnelled,
  etherType: number,
  start: number,
  encapsulation: Encapsulation,
  number = 0,
): true {
  out.etherType = etherType === EtherType.transparentEthernet ? 0 : etherType;
  out.linkType = LinkType.ethernet;
  out.start = start;
  out.end = Number.POSITIVE_INFINITY;
  out.originalLength = 0;
  out.encapsulation = encapsulation;
  out.number = number;
  out.obstacle = "";
  return true;
}

/** The tunnel leads to a frame of a link type. */
export function leadsToFrame(
  out: Tunnelled,
  linkType: number,
  start: number,
  encapsulation: Encapsulation,
  number = 0,
): true {
  leadsTo(out, 0, start, encapsulation, number);
  out.linkType = linkType;
  return true;
}

/** Says that the tunnel leads no further, and what is in the way. */
export function blockedBy(out: Tunnelled, obstacle: string): true {
  out.obstacle = obstacle;
  return true;
}

/** The tunnel's header, up to `needed`, is not there. */
export function lacks(out: Tunnelled, name: string, { end, missing }: Carrier, needed: number): true {
  return blockedBy(out, needed > end + missing ? `malformed ${name} header` : `${name} header cut by the snap length`);
}
