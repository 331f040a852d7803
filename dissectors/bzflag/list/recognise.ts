import { decodeText } from "moul-dissect/schema";

/** Most bytes of a request or an answer that are examined. */
const LONGEST_HEAD = 2048;

/** How the requests of clients and game servers begin. Source: facts, section 7. */
const REQUEST = /^(?:ADD \S+ \d+ \S+ [0-9a-f]{72} |REMOVE \S+\r?\n|SETNUM \S+(?: \d+){5}\r?\n|LIST\r?\n\r?\n)/i;
const BEGINNINGS = ["ADD ", "REMOVE ", "SETNUM ", "LIST\n", "LIST\r"];
const WEB_REQUEST = /^GET \S+ HTTP\/1/;
/** A reply whose content begins with a line that describes a game server. */
const ENTRIES = /^HTTP\/1\.\d \d{3}[^\n]*\n(?:[^\r\n]+\r?\n)*\r?\n\S+ BZFS\d{3}\w [0-9a-f]{72} /;
/** What list servers of BZFlag call themselves. */
const BZFLS = /^Server: bzfls/im;
const VERSION = "BZFS";
const GAME_DIGITS = 72;

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
  if (REQUEST.test(request)) return answers(request, s2c) ? { is: "list" } : undefined;
  if (BEGINNINGS.some((beginning) => beginning.startsWith(request))) return "more";
  if (BEGINNINGS.some((beginning) => request.startsWith(beginning))) return isWhole(request) ? undefined : "more";
  if (!WEB_REQUEST.test(request))
    return "GET ".startsWith(request.slice(0, 4)) && !isWhole(request) ? "more" : undefined;
  if (isListServer) return { is: "list" };
  const answer = decodeText(s2c.subarray(0, LONGEST_HEAD));
  if (isOfListServer(answer) || ENTRIES.test(answer)) return { is: "list" };
  return answer.length < LONGEST_HEAD && "HTTP/".startsWith(answer.slice(0, 5)) && !/\n\r?\n./.test(answer)
    ? "more"
    : undefined;
}

/** True if what has come from the server so far can be its answer; list servers do not speak first. */
function answers(request: string, s2c: Uint8Array): boolean {
  return /^LIST/i.test(request) ? isList(decodeText(s2c), false) : s2c.length === 0 || isResult(s2c);
}

/** True for the answer to a request that changes the list. */
export function isResult(bytes: Uint8Array): boolean {
  return bytes.length === 1 && (bytes[0] ?? 0) <= 1;
}

/** True if a reply over HTTP names the program of list servers. */
export function isOfListServer(reply: string): boolean {
  return BZFLS.test(reply.slice(0, Math.max(reply.search(/\n\r?\n/), 0) || LONGEST_HEAD));
}

/**
 * True if each line of a text describes a game server, whatever it says of it.
 *
 * @param isAll false if the last line may go on
 */
export function isList(text: string, isAll: boolean): boolean {
  const lines = text.split(/\r?\n/);
  const rest = lines.pop() ?? "";
  return lines.every((line) => line === "" || isEntry(line, true)) && (rest === "" || isEntry(rest, isAll));
}

function isEntry(line: string, isAll: boolean): boolean {
  const [, version, game, ...more] = line.split(" ");
  if (version === undefined || game === undefined) return !isAll && VERSION.startsWith((version ?? "").slice(0, 4));
  const hasDigits = game.length === GAME_DIGITS || (!isAll && more.length === 0 && game.length < GAME_DIGITS);
  return /^BZFS\d{3}\w$/.test(version) && hasDigits;
}

/** True if a request has arrived up to its first empty line, or is too long to be one. */
function isWhole(request: string): boolean {
  return /\n\r?\n/.test(request) || request.length >= LONGEST_HEAD;
}
