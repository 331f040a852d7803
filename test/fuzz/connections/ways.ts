import { type Ends, ethernet, geneve, gre, ipPacket, ppp, pppoe, udpPacket, vxlan } from "../../support/packets.js";
import type { Random } from "../../support/random.js";

/** A path that packets take into an Ethernet capture. */
export interface Way {
  readonly name: string;
  readonly around: (ip: Uint8Array) => Uint8Array;
}

const tunnel = (destinationPort: number): Ends => ({
  source: "203.0.113.1",
  sourcePort: 55_555,
  destination: "203.0.113.2",
  destinationPort,
});

const WITHOUT: Way = { name: "plain", around: (ip) => ethernet(ip) };

/** Makes ways with a number of their own: a VLAN, a key, a session, a network. */
const KINDS: readonly ((number: number) => Way)[] = [
  () => WITHOUT,
  (number) => ({ name: `VLAN ${number}`, around: (ip) => ethernet(ip, [0x8100], undefined, number) }),
  (number) => ({ name: `QinQ ${number}`, around: (ip) => ethernet(ip, [0x88a8, 0x8100], undefined, number) }),
  (key) => ({
    name: `GRE key ${key}`,
    around: (ip) => ethernet(ipPacket(47, "203.0.113.1", "203.0.113.2", gre(ip, { key }))),
  }),
  (number) => ({
    name: `PPPoE session ${number}`,
    around: (ip) => ethernet(pppoe(ppp(ip), number), [], 0x8864),
  }),
  (number) => ({
    name: `VXLAN ${number}`,
    around: (ip) => ethernet(udpPacket(tunnel(4789), vxlan(ethernet(ip), number))),
  }),
  (number) => ({
    name: `GENEVE ${number}`,
    around: (ip) => ethernet(udpPacket(tunnel(6081), geneve(ethernet(ip), number, 0x6558))),
  }),
];

export function randomWay(random: Random): Way {
  return random.pick(KINDS)(1 + random.below(4));
}

/** The ways of the packets of a capture: the ways that each packet is recorded on, most often one. */
export interface Routing {
  readonly name: string;
  readonly waysOf: (side: 0 | 1) => readonly Way[];
}

/** All packets on one way, without tags. */
export const PLAIN: Routing = { name: "plain", waysOf: () => [WITHOUT] };

/** Chooses how the packets of both sides travel, and where they are recorded. */
export function randomRouting(random: Random): Routing {
  const one = randomWay(random);
  const other = randomWay(random);
  switch (random.below(6)) {
    case 0:
      return { name: `client ${one.name}, server ${other.name}`, waysOf: (side) => [side === 0 ? one : other] };
    case 1:
      return { name: `each ${one.name} or ${other.name}`, waysOf: () => [random.pick([one, other])] };
    case 2:
      return { name: `each ${one.name} and ${other.name}`, waysOf: () => [one, other] };
    case 3:
      return {
        name: `each ${one.name}, some ${other.name}, too`,
        waysOf: () => (random.chance(3) ? [one, other] : [one]),
      };
    case 4:
      return { name: `single ones ${one.name}`, waysOf: () => [random.chance(1) ? one : WITHOUT] };
    default:
      return PLAIN;
  }
}
