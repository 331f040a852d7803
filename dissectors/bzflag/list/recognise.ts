import { decodeText } from "../../../src/schema/index.js";

/** Most bytes of a request or an answer that are examined. */
const LONGEST_HEAD = 2048;

/** How the requests of clients and game servers begin. Source: facts, section 7. */
const REQUEST = /^(?:ADD \S+ \d+ \S+ [0-9a-f]{72} |REMOVE \S+\r?\n|SETNUM \S+(?: \d+){5}\r?\n|LIST\r?\n\r?\n)/i;
const BEGINNINGS = ["ADD ", "REMOVE ", "SETNUM ", "LIST\n", "LIST\r"];
const WEB_REQUEST = /^GET \S+ HTTP\/1/;
/** A line that describes a game server. */
const ENTRY = /^\S+ BZFS\d{3}\w [0-9a-f]{72} /m;

/**
 * Recognises a conversation with a list server by the first bytes of both sides. A GET may go to any web server: only
 * the answer decides, unless the server is known.
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

/** True if a request has arrived up to its first empty line, or is too long to be one. */
function isWhole(request: string): boolean {
  return /\n\r?\n/.test(request) || request.length >= LONGEST_HEAD;
}
