import { isGroupAddress } from "../network/address.js";

/** Networks of 256 addresses reserved for documentation (RFC 5737). */
const DOCUMENTATION = ["192.0.2.", "198.51.100.", "203.0.113."];
/** Hosts in a network of 256 addresses: the first and the last address have other meanings. */
const HOSTS = 254;

/** Groups in an IPv6 address. */
const GROUPS = 8;

/**
 * Replaces real addresses with reserved ones, always the same one for the same address: those for documentation
 * (RFC 5737, RFC 3849) and, when these run out, those of the private network 10.0.0.0/8. They are assigned in order of
 * appearance, so that nothing can be inferred from them.
 */
export class AddressMap {
  readonly #real = new Set<string>();
  readonly #pseudonyms = new Map<string, string>();
  #next4 = 0;
  #next6 = 0;

  /** Records an address that is to be replaced; no recorded address will be used to replace another. */
  gather(address: string): void {
    if (!isImpersonal(address)) this.#real.add(address);
  }

  /** The addresses recorded. */
  get real(): ReadonlySet<string> {
    return this.#real;
  }

  /** The replacement of an address, or the address itself if it does not belong to a host. */
  of(address: string): string {
    if (isImpersonal(address)) return address;
    let pseudonym = this.#pseudonyms.get(address);
    if (pseudonym === undefined) {
      do {
        pseudonym = address.includes(":") ? `2001:db8::${(++this.#next6).toString(16)}` : this.#ipv4(this.#next4++);
      } while (this.#real.has(pseudonym));
      this.#pseudonyms.set(address, pseudonym);
    }
    return pseudonym;
  }

  #ipv4(index: number): string {
    const network = DOCUMENTATION[Math.floor(index / HOSTS)];
    if (network !== undefined) return `${network}${(index % HOSTS) + 1}`;
    const host = index - DOCUMENTATION.length * HOSTS + 1;
    return `10.${(host >>> 16) & 0xff}.${(host >>> 8) & 0xff}.${host & 0xff}`;
  }
}

/** True for an address that does not belong to a host: an unspecified or group address. */
function isImpersonal(address: string): boolean {
  return address === "0.0.0.0" || address === "::" || isGroupAddress(address);
}

/** The text of an address with exactly that many characters: padded with leading zeros, or all zeros. */
export function fittedAddress(address: string, length: number): string {
  if (address.includes(":")) return fittedIpv6(address, length);
  const parts = address.length > length ? ["0", "0", "0", "0"] : address.split(".");
  return padded(parts, 3, ".", length);
}

/** Addresses of `AddressMap` have `::` before the last group; given more room, more of these zeros are written out. */
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

/** Numbers with as many leading zeros, added from the last number on, as the whole text needs to reach a length. */
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
