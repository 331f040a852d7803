import { Encapsulation } from "../encapsulations.js";
import { IpProtocol } from "../ip/ip.js";
import { EtherType } from "../link/link-payload.js";
import { type Carrier, leadsTo, type Tunnelled } from "../link/tunnelled.js";
import { innerIp } from "./inner-ip.js";

const HEADER = 4;
const CONTROL = 0x20;

/**
 * Reads Generic UDP Encapsulation (draft-ietf-intarea-gue, sections 3 and 4): IP behind a header, or without one; false
 * if there is no IP packet.
 */
export function readGue(carrier: Carrier, out: Tunnelled): boolean {
  const { data, start: at } = carrier;
  const plain = innerIp(carrier, at);
  if (plain !== undefined) return leadsTo(out, plain, at, Encapsulation.gue);
  const first = data[at] ?? 0;
  if (first >>> 6 !== 0 || (first & CONTROL) !== 0) return false;
  const start = at + HEADER + (first & 0x1f) * 4;
  const protocol = etherTypeOf(data[at + 1]);
  return (
    protocol !== undefined && innerIp(carrier, start) === protocol && leadsTo(out, protocol, start, Encapsulation.gue)
  );
}

function etherTypeOf(protocol: number | undefined): number | undefined {
  if (protocol === IpProtocol.ipv4) return EtherType.ipv4;
  return protocol === IpProtocol.ipv6 ? EtherType.ipv6 : undefined;
}
