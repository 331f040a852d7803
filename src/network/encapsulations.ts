import type { LimitName } from "../limits.js";
import type { IpAddress } from "./address.js";

/**
 * What a packet can be encapsulated in. The number that goes with it has to be the same in both directions of a conversation:
 * MPLS labels, GTP-U's tunnel endpoint identifiers and L2TP's sessions are not, and are left out.
 */
export const Encapsulation = {
  vlan: 1,
  pppoe: 2,
  ip: 3,
  gre: 4,
  greKey: 5,
  vxlan: 6,
  geneve: 7,
  gtp: 8,
  backbone: 9,
  etherIp: 10,
  l2tp: 11,
  teredo: 12,
  vxlanGpe: 13,
  ayiya: 14,
  tzsp: 15,
  aruba: 16,
  mpls: 17,
  lisp: 18,
  gue: 19,
  capwap: 20,
} as const;
export type Encapsulation = (typeof Encapsulation)[keyof typeof Encapsulation];

const NAMES: Readonly<Record<Encapsulation, string>> = {
  [Encapsulation.vlan]: "VLAN",
  [Encapsulation.pppoe]: "PPPoE",
  [Encapsulation.ip]: "IP in IP",
  [Encapsulation.gre]: "GRE",
  [Encapsulation.greKey]: "GRE",
  [Encapsulation.vxlan]: "VXLAN",
  [Encapsulation.geneve]: "GENEVE",
  [Encapsulation.gtp]: "GTP-U",
  [Encapsulation.backbone]: "PBB",
  [Encapsulation.etherIp]: "EtherIP",
  [Encapsulation.l2tp]: "L2TP",
  [Encapsulation.teredo]: "Teredo",
  [Encapsulation.vxlanGpe]: "VXLAN-GPE",
  [Encapsulation.ayiya]: "AYIYA",
  [Encapsulation.tzsp]: "TZSP",
  [Encapsulation.aruba]: "Aruba ERM",
  [Encapsulation.mpls]: "MPLS",
  [Encapsulation.lisp]: "LISP",
  [Encapsulation.gue]: "GUE",
  [Encapsulation.capwap]: "CAPWAP",
};

/** More than the largest of the numbers above. */
const KINDS = 32;

/** Encapsulations whose number means something. */
const NUMBERED: ReadonlySet<Encapsulation> = new Set([
  Encapsulation.vlan,
  Encapsulation.pppoe,
  Encapsulation.greKey,
  Encapsulation.vxlan,
  Encapsulation.geneve,
  Encapsulation.backbone,
  Encapsulation.vxlanGpe,
  Encapsulation.lisp,
]);

/** The path of packets that came through nothing. */
export const NO_PATH = 0;

/** Instead of a path: there are more than the limit allows. */
export const TOO_MANY_PATHS = -1;

/** What a packet with `TOO_MANY_PATHS` is counted as. */
export const TOO_MANY_PATHS_TEXT = "too many VLANs and tunnels to tell apart";

/** A tunnel with its two ends; `path` is the path of the packets around it, and `through` that of the packets in it. */
interface Tunnel {
  readonly path: number;
  readonly one: IpAddress;
  readonly other: IpAddress;
  readonly through: number;
  readonly sameHash: Tunnel | undefined;
}

/**
 * Numbers the paths through VLANs and tunnels that packets take, so that comparing one number is enough to tell
 * conversations on different paths apart. Nothing is allocated for a known path.
 */
export class Encapsulations {
  readonly #most: number;
  readonly #reached: (limit: LimitName) => void;
  /** The paths after an encapsulation: by the path before it and its kind, then by its number. */
  readonly #steps = new Map<number, Map<number, number>>();
  readonly #tunnels = new Map<number, Tunnel>();
  #latest: Tunnel | undefined;
  /** Each path in words, including the path before it. */
  readonly #texts: string[] = [""];

  /**
   * @param most number of paths to tell apart.
   * @param reached called for a packet that takes another one.
   */
  constructor(most: number, reached: (limit: LimitName) => void) {
    this.#most = most;
    this.#reached = reached;
  }

  /** The path that leads on through an encapsulation with the given number (0 where it has none). */
  through(path: number, encapsulation: Encapsulation, number: number): number {
    const key = path * KINDS + encapsulation;
    let steps = this.#steps.get(key);
    let found = steps?.get(number);
    if (found === undefined) {
      found = this.#add(
        path,
        NUMBERED.has(encapsulation) ? `${NAMES[encapsulation]} ${number >>> 0}` : NAMES[encapsulation],
      );
      if (found === TOO_MANY_PATHS) return found;
      if (steps === undefined) {
        steps = new Map();
        this.#steps.set(key, steps);
      }
      steps.set(number, found);
    }
    return found;
  }

  /** The path that leads on through an encapsulation between two ends, whichever of them sends. */
  between(
    path: number,
    encapsulation: Encapsulation,
    number: number,
    source: IpAddress,
    destination: IpAddress,
  ): number {
    const before = this.through(path, encapsulation, number);
    if (before === TOO_MANY_PATHS) return before;
    if (this.#latest !== undefined && joins(this.#latest, before, source, destination)) return this.#latest.through;
    const hash = (before * 31 + (hashOf(source) ^ hashOf(destination))) | 0;
    let tunnel = this.#tunnels.get(hash);
    const sameHash = tunnel;
    while (tunnel !== undefined && !joins(tunnel, before, source, destination)) tunnel = tunnel.sameHash;
    if (tunnel === undefined) {
      const through = this.#add(before, `${source}-${destination}`, " ");
      if (through === TOO_MANY_PATHS) return through;
      tunnel = { path: before, one: source.copy(), other: destination.copy(), through, sameHash };
      this.#tunnels.set(hash, tunnel);
    }
    this.#latest = tunnel;
    return tunnel.through;
  }

  /** A path in words, from the outside in: "VLAN 100, VXLAN 7 10.0.0.1-10.0.0.2"; empty for `NO_PATH`. */
  text(path: number): string {
    return this.#texts[path] ?? "";
  }

  #add(before: number, text: string, joint = ", "): number {
    if (this.#texts.length >= this.#most) {
      this.#reached("paths");
      return TOO_MANY_PATHS;
    }
    const all = this.text(before);
    return this.#texts.push(all === "" ? text : `${all}${joint}${text}`) - 1;
  }
}

function joins(tunnel: Tunnel, path: number, source: IpAddress, destination: IpAddress): boolean {
  if (tunnel.path !== path) return false;
  const { one, other } = tunnel;
  return (one.equals(source) && other.equals(destination)) || (other.equals(source) && one.equals(destination));
}

function hashOf({ w0, w1, w2, w3 }: IpAddress): number {
  return Math.imul(Math.imul(Math.imul(w0 ^ 0x9e3779b1, 31) ^ w1, 31) ^ w2, 31) ^ w3;
}
