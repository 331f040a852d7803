import { decodeText } from "../../../src/schema/index.js";

/** Bytes of a request or an answer that are looked at. */
const LONGEST_HEAD = 2048;

/** Requests as clients and game servers begin them. Source: facts, section 7. */
const REQUEST = /^(?:ADD \S+ \d+ \S+ [0-9a-f]{72} |REMOVE \S+\r?\n|SETNUM \S+(?: \d+){5}\r?\n|LIST\r?\n\r?\n)/i;
const BEGINNINGS = ["ADD ", "REMOVE ", "SETNUM ", "LIST\n", "LIST\r"];
const WEB_REQUEST = /^GET \S+ HTTP\/1/;
/** A line that describes a game server. */
const ENTRY = /^\S+ BZFS\d{3}\w [0-9a-f]{72} /m;

/**
 * Tells whether a conversation is one with a list server, by the first bytes of both sides. Anything that speaks HTTP may
 * be asked for a page: only the answer tells, unless the server is known.
 */
export function listKind(
  c2s: Uint8Array,
  s2c: Uint8Array,
  isListServer: boolean,
): { readonly is: "list" } | "more" | undefined {
  const request = decodeText(c2s.subarray(0, LONGEST_HEAD));
  if (request === "") return undefined;
  if (REQUEST.test(request)) return { is: "list" };
  if (BEGINNINGS.some((beginning) => beginning.startsWith(request))) return "more";
  if (BEGINNINGS.some((beginning) => request.startsWith(beginning))) return isWhole(request) ? undefined : "more";
  if (!WEB_REQUEST.test(request))
    return "GET ".startsWith(request.slice(0, 4)) && !isWhole(request) ? "more" : undefined;
  if (isListServer) return { is: "list" };
  const answer = decodeText(s2c.subarray(0, LONGEST_HEAD));
  if (/^Server: bzfls/im.test(answer) || ENTRY.test(answer)) return { is: "list" };
  return answer.length < LONGEST_HEAD && "HTTP/".startsWith(answer.slice(0, 5)) && !/\n\r?\n./.test(answer)
    ? "more"
    : undefined;
}

/** True if a request is there as far as its first empty line, or is too long to be one. */
function isWhole(request: string): boolean {
  return /\n\r?\n/.test(request) || request.length >= LONGEST_HEAD;
}
