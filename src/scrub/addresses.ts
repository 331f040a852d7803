import { isGroupAddress } from "../network/address.js";

/** Networks of 256 addresses that are for documentation (RFC 5737). */
const DOCUMENTATION = ["192.0.2.", "198.51.100.", "203.0.113."];
/** Hosts of a network of 256 addresses: the first and the last one stand for something else. */
const HOSTS = 254;

/** Groups of an IPv6 address. */
const GROUPS = 8;

/**
 * Puts reserved addresses in the place of real ones, always the same one for the same: those for
 * documentation (RFC 5737, RFC 3849), and where they do not suffice the private network 10.0.0.0/8. They are given out in
 * turn, so that nothing can be worked out from them.
 */
export class AddressMap {
  readonly #real = new Set<string>();
  readonly #fakes = new Map<string, string>();
  #next4 = 0;
  #next6 = 0;

  /** Takes down an address that is to be replaced: none of them will stand for another one. */
  gather(address: string): void {
    if (!isImpersonal(address)) this.#real.add(address);
  }

  /** The addresses that were taken down. */
  get real(): ReadonlySet<string> {
    return this.#real;
  }

  /** What replaces an address; the address itself, if it belongs to no host. */
  of(address: string): string {
    if (isImpersonal(address)) return address;
    let fake = this.#fakes.get(address);
    if (fake === undefined) {
      do {
        fake = address.includes(":") ? `2001:db8::${(++this.#next6).toString(16)}` : this.#ipv4(this.#next4++);
      } while (this.#real.has(fake));
      this.#fakes.set(address, fake);
    }
    return fake;
  }

  #ipv4(index: number): string {
    const network = DOCUMENTATION[Math.floor(index / HOSTS)];
    if (network !== undefined) return `${network}${(index % HOSTS) + 1}`;
    const host = index - DOCUMENTATION.length * HOSTS + 1;
    return `10.${(host >>> 16) & 0xff}.${(host >>> 8) & 0xff}.${host & 0xff}`;
  }
}

/** True for an address that stands for no host: of none, of all, of groups. */
function isImpersonal(address: string): boolean {
  return address === "0.0.0.0" || address === "::" || isGroupAddress(address);
}

/** The text of an address with exactly so many characters: with zeros in front of numbers, or all zero. */
export function fittedAddress(address: string, length: number): string {
  if (address.includes(":")) return fittedIpv6(address, length);
  const parts = address.length > length ? ["0", "0", "0", "0"] : address.split(".");
  return padded(parts, 3, ".", length);
}

/** One that `AddressMap` gives has `::` before its last group: more room takes more of the zeros that this stands for. */
function fittedIpv6(address: string, length: number): string {
  const [start = "", end = ""] = (address.length > length ? "::0" : address).split("::");
  const groups = start.split(":");
  const shortest = [...groups, "", end];
  const zeros = GROUPS - groups.length - 1;
  for (let written = 0; written < zeros; written++) {
    const text = padded(shortest.toSpliced(-1, 0, ...Array<string>(written).fill("0")), 4, ":", length);
    if (text.length === length) return text;
  }
  return padded([...groups, ...Array<string>(zeros).fill("0"), end], 4, ":", length);
}

/** Numbers with zeros in front, the last ones first, as many as the whole needs to have a length. */
function padded(parts: readonly string[], width: number, separator: string, length: number): string {
  const wide = [...parts];
  let missing = length - wide.join(separator).length;
  for (let index = wide.length - 1; index >= 0; index--) {
    const part = wide[index] ?? "";
    if (part === "") continue;
    const padding = Math.min(width - part.length, Math.max(missing, 0));
    missing -= padding;
    wide[index] = part.padStart(part.length + padding, "0");
  }
  return wide.join(separator);
}
