import { normalAddress } from "../network/address.js";
import type { SensitiveKind } from "../schema/language/sensitive.js";
import { isCommonName, isHarmless, isKnownReason, productIn } from "./http-words.js";

/** A part of a text that must not be revealed. */
export interface SecretPart {
  readonly kind: SensitiveKind;
  readonly start: number;
  readonly text: string;
}

/** A host or an IPv6 address in brackets, with an optional port. */
const HOST = /^(\[)?(.*?)(?:\]?:\d{1,5}|\])?$/s;
/** The beginning of a URL that has a host. */
const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;
/** A path, or a request line with one, and its query or what else follows. */
const PATH = /^(?:[A-Z]+ )?\/[^?;#\s]*(?:[?;#](.*?))?(?: HTTP\/\d\.\d)?$/s;
/** Lines of HTTP (RFC 9112, section 5). */
const HEADERS = /^(?:[\w.-]+:[^\r\n]*(?:\r?\n|$))+$/;
const HEADER = /^([\w.-]+):[ \t]*([^\r\n]*)/gm;
/** A request line, with what it asks for. */
const REQUEST_LINE = /^((?:GET|HEAD|POST) )(.*?)(?: HTTP\/\d\.\d)?$/s;
/** A status line, with its reason. */
const STATUS_LINE = /^(HTTP\/\d\.\d \d{3}(?: |$))(.*)$/s;

/**
 * The parts of a text that must not be revealed: nearly always all of it.
 *
 * @param isHttp true for lines of HTTP, of which only the values reveal anything, and for paths; of a request line with a
 *   token, the path stays
 */
export function secretParts(kind: SensitiveKind, text: string, isHttp = false): readonly SecretPart[] {
  if (kind === "ip-address") {
    const [scheme] = SCHEME.exec(text) ?? [];
    return scheme === undefined ? hostPart(text, 0) : part(kind, text.slice(scheme.length), scheme.length);
  }
  if (!isHttp) return part(kind, text, 0);
  const path = kind === "token" ? PATH.exec(text) : null;
  if (path !== null) return part(kind, path[1] ?? "", text.search(/[?;#]/) + 1);
  const [, status, reason = ""] = STATUS_LINE.exec(text) ?? [];
  if (status !== undefined) return isKnownReason(reason) ? [] : part(kind, reason, status.length);
  const [, method, target = ""] = (kind === "token" ? null : REQUEST_LINE.exec(text)) ?? [];
  if (method !== undefined) return part(kind, target, method.length);
  if (!HEADERS.test(text)) return part(kind, text, 0);
  return [...text.matchAll(HEADER)].flatMap(({ 0: line, 1: name = "", 2: value = "", index }) => {
    const start = index + line.length - value.length;
    const lower = name.toLowerCase();
    if (isHarmless(lower, value)) return [];
    if (lower === "host") return hostPart(value, start);
    if (!isCommonName(lower)) return [...part(kind, name, index), ...part(kind, value, start)];
    const kept = lower === "user-agent" || lower === "server" ? productIn(value).length : 0;
    return part(kind, value.slice(kept), start + kept);
  });
}

/** The text with each part replaced. */
export function withParts(text: string, parts: readonly SecretPart[], instead: (part: SecretPart) => string): string {
  let result = "";
  let at = 0;
  for (const one of parts) {
    result += text.slice(at, one.start) + instead(one);
    at = one.start + one.text.length;
  }
  return result + text.slice(at);
}

/** The host address that a part is, in the form used for packets; undefined for anything else, such as a host name. */
export function addressIn({ kind, text }: SecretPart): string | undefined {
  return kind === "ip-address" ? normalAddress(text) : undefined;
}

function hostPart(text: string, start: number): readonly SecretPart[] {
  // Without brackets, the last group of an IPv6 address looks like a port.
  if (normalAddress(text) !== undefined) return part("ip-address", text, start);
  const [, bracket = "", host = text] = HOST.exec(text) ?? [];
  return part("ip-address", host, start + bracket.length);
}

function part(kind: SensitiveKind, text: string, start: number): readonly SecretPart[] {
  return text === "" ? [] : [{ kind, text, start }];
}
