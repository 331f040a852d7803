import { normalAddress } from "../network/address.js";
import type { SensitiveKind } from "../schema/sensitive.js";

/** A stretch of a text that must not be told. */
export interface SecretPart {
  readonly kind: SensitiveKind;
  readonly start: number;
  readonly text: string;
}

/** A host, an IPv6 address in brackets, and the port that may stand behind it. */
const HOST = /^(\[)?(.*?)(?:\]?:\d{1,5}|\])?$/s;
/** Lines of HTTP (RFC 9112, section 5); those in the list tell something. */
const HEADERS = /^(?:[\w-]+:[^\n]*(?:\r?\n|$))+$/;
const HEADER = /^([\w-]+):[ \t]*([^\r\n]+)/gm;
const TELLING: ReadonlySet<string> = new Set(
  "authorization cookie forwarded from host location proxy-authorization referer set-cookie user-agent via x-forwarded-for x-real-ip".split(
    " ",
  ),
);
/** The name of a program, by which a dissector may know it; what follows is of the machine. */
const PRODUCT = /^\S+\s*/;

/** What of a text must not be told: nearly always all of it. */
export function secretParts(kind: SensitiveKind, text: string): readonly SecretPart[] {
  if (kind === "ip-address") return hostPart(text, 0);
  // Of a URL the query.
  if (kind === "token" && text.startsWith("/"))
    return part(kind, /\?(.*)/s.exec(text)?.[1] ?? "", text.indexOf("?") + 1);
  if (kind !== "machine" || !HEADERS.test(text)) return part(kind, text, 0);
  return [...text.matchAll(HEADER)].flatMap(({ 0: line, 1: name = "", 2: value = "", index }) => {
    const start = index + line.length - value.length;
    const lower = name.toLowerCase();
    if (!TELLING.has(lower)) return [];
    if (lower === "host") return hostPart(value, start);
    const kept = lower === "user-agent" ? (PRODUCT.exec(value)?.[0].length ?? 0) : 0;
    return part(kind, value.slice(kept), start + kept);
  });
}

/** The text with something else in the place of each part. */
export function withParts(text: string, parts: readonly SecretPart[], instead: (part: SecretPart) => string): string {
  let result = "";
  let at = 0;
  for (const one of parts) {
    result += text.slice(at, one.start) + instead(one);
    at = one.start + one.text.length;
  }
  return result + text.slice(at);
}

/** The address of a host that a part is, as packets have it; undefined for what is something else, such as its name. */
export function addressIn({ kind, text }: SecretPart): string | undefined {
  return kind === "ip-address" ? normalAddress(text) : undefined;
}

function hostPart(text: string, start: number): readonly SecretPart[] {
  // Without brackets its last group looks like a port.
  if (normalAddress(text) !== undefined) return part("ip-address", text, start);
  const [, bracket = "", host = text] = HOST.exec(text) ?? [];
  return part("ip-address", host, start + bracket.length);
}

function part(kind: SensitiveKind, text: string, start: number): readonly SecretPart[] {
  return text === "" ? [] : [{ kind, text, start }];
}
