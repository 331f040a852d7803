import { u16 } from "../bytes.js";
import { Encapsulation } from "../encapsulations.js";
import { LinkType } from "../link/link-type.js";
import { type Carrier, leadsToFrame, type Tunnelled } from "../link/tunnelled.js";

/** A record header of a pcap file in network byte order: time, captured length, length; then what Aruba adds to it. */
const RECORD = 16;
const RADIO = 4;

/**
 * Reads what Aruba's access points mirror ("ERM") in the form of pcap records of IEEE 802.11, with or without a radio
 * header; false if it is something else. Source: Wireshark, epan/dissectors/packet-aruba-erm.c, types 0 and 3.
 */
export function readArubaMirror({ data, start, end, missing }: Carrier, out: Tunnelled): boolean {
  // Lengths of frames need no more than 16 bits; that their upper halves are zero also tells this from other data.
  if (start + RECORD > end || u16(data, start + 8) !== 0 || u16(data, start + 12) !== 0) return false;
  const captured = u16(data, start + 10);
  const length = u16(data, start + 14);
  const room = end + missing - start - RECORD;
  const before = room - captured;
  if (captured === 0 || captured > length || (before !== 0 && before !== RADIO)) return false;
  leadsToFrame(out, LinkType.ieee80211, start + RECORD + before, Encapsulation.aruba);
  out.originalLength = length;
  return true;
}
