import { i32 } from "./bytes.js";

/** An IPv4 or IPv6 address as four 32-bit words (signed, see `i32`); an IPv4 address is the last of them. */
export class IpAddress {
  version: 4 | 6 = 4;
  w0 = 0;
  w1 = 0;
  w2 = 0;
  w3 = 0;

  readIpv4(bytes: Uint8Array, at: number): void {
    this.version = 4;
    this.w0 = 0;
    this.w1 = 0;
    this.w2 = 0;
    this.w3 = i32(bytes, at);
  }

  readIpv6(bytes: Uint8Array, at: number): void {
    this.version = 6;
    this.w0 = i32(bytes, at);
    this.w1 = i32(bytes, at + 4);
    this.w2 = i32(bytes, at + 8);
    this.w3 = i32(bytes, at + 12);
  }

  equals(other: IpAddress): boolean {
    return (
      this.w3 === other.w3 &&
      this.version === other.version &&
      this.w0 === other.w0 &&
      this.w1 === other.w1 &&
      this.w2 === other.w2
    );
  }

  copy(): IpAddress {
    const copy = new IpAddress();
    copy.version = this.version;
    copy.w0 = this.w0;
    copy.w1 = this.w1;
    copy.w2 = this.w2;
    copy.w3 = this.w3;
    return copy;
  }

  /** IPv4 dotted; IPv6 as RFC 5952 recommends. */
  toString(): string {
    return this.version === 4 ? dotted(this.w3) : ipv6Text([this.w0, this.w1, this.w2, this.w3]);
  }
}

/** Parses an address into its 4 or 16 bytes: IPv4 dotted, or IPv6 in any form of RFC 4291, section 2.2. */
export function addressBytes(text: string): Uint8Array {
  if (!text.includes(":")) return Uint8Array.from(text.split("."), Number);
  const bytes = new Uint8Array(16);
  const [start = "", end] = text.split("::");
  bytes.set(groupBytes(start));
  const last = end === undefined ? [] : groupBytes(end);
  bytes.set(last, bytes.length - last.length);
  return bytes;
}

function groupBytes(text: string): number[] {
  return text.split(":").flatMap((group) => {
    if (group.includes(".")) return group.split(".").map(Number);
    const word = Number.parseInt(group, 16);
    return group === "" ? [] : [word >>> 8, word & 0xff];
  });
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** True for an IPv6 address without the name of an interface after a %, which no packet has. */
function isIpv6(text: string): boolean {
  // Its forms are those that an address of the web has in brackets.
  return /^[\da-f:.]*:[\da-f:.]*$/i.test(text) && URL.canParse(`http://[${text}]`);
}

/** Rewrites an address in any form as `IpAddress` writes it; undefined if the text is not an address. */
export function normalAddress(text: string): string | undefined {
  if (IPV4.test(text)) return text;
  if (!isIpv6(text)) return undefined;
  const address = new IpAddress();
  address.readIpv6(addressBytes(text), 0);
  return address.toString();
}

/** "address:port", with an IPv6 address in brackets (RFC 5952, section 6). */
export function endpointText(endpoint: { readonly address: string; readonly port: number }): string {
  const { address, port } = endpoint;
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

function dotted(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 0xff}.${(word >>> 8) & 0xff}.${word & 0xff}`;
}

function ipv6Text(words: readonly [number, number, number, number]): string {
  const [w0, w1, w2, w3] = words;
  // IPv4-mapped: the one prefix for which the mixed form is sure to be right (RFC 5952, section 5).
  if (w0 === 0 && w1 === 0 && w2 === 0xffff) return `::ffff:${dotted(w3)}`;
  const groups = words.flatMap((word) => [word >>> 16, word & 0xffff]);
  const zeros = longestZeros(groups);
  const text = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(":");
  // A single group of zeros is not shortened (RFC 5952, section 4.2.2).
  if (zeros.length < 2) return text(groups);
  return `${text(groups.slice(0, zeros.start))}::${text(groups.slice(zeros.start + zeros.length))}`;
}

/** The longest run of zero groups, the first of equal ones (RFC 5952, section 4.2.3). */
function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let length = 0;
  groups.forEach((group, index) => {
    length = group === 0 ? length + 1 : 0;
    if (length > longest.length) longest = { start: index + 1 - length, length };
  });
  return longest;
}

/** True for a group address: multicast (RFC 5771, RFC 4291), or broadcast to the local network (RFC 919). */
export function isGroupAddress(address: string): boolean {
  return /^(22[4-9]|23\d)\.|^255\.255\.255\.255$|^ff[0-9a-f]{2}:/.test(address);
}
