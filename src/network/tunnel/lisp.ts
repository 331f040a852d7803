import { u24 } from "../bytes.js";
import { Encapsulation } from "../encapsulations.js";
import { type Carrier, leadsTo, type Tunnelled } from "../link/tunnelled.js";
import { innerIp } from "./inner-ip.js";

const HEADER = 8;
/** Flags: there is a number of the network; and those of other headers (RFC 9305) and of encryption (RFC 8061). */
const Flag = { instance: 0x08, others: 0x07 } as const;

/** Reads the Locator/ID Separation Protocol (RFC 9300, section 5); false if no IP packet follows. */
export function readLisp(carrier: Carrier, out: Tunnelled): boolean {
  const { data, start: at, end } = carrier;
  const flags = data[at] ?? 0;
  if (at + HEADER > end || (flags & Flag.others) !== 0) return false;
  const etherType = innerIp(carrier, at + HEADER);
  if (etherType === undefined) return false;
  const instance = (flags & Flag.instance) === 0 ? 0 : u24(data, at + 4);
  return leadsTo(out, etherType, at + HEADER, Encapsulation.lisp, instance);
}
