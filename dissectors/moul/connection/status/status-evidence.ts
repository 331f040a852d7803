import type { Opening, Recognition } from "moul-dissect/dissector";

/**
 * What tells a status server from other HTTP servers: its paths are also those of others, and anybody may ask. Sources:
 * NetIO/Status.cpp of DIRTSAND; status_server.py of NAGUS; pnPrBuildType.cpp (`BuildTypeServerStatusPath`) and
 * plClient/winmain.cpp of 2011.
 */

/** Longest head of a request or reply, in bytes, whose end is waited for, and longest content that is looked at. */
export const LONGEST_HEAD = 4096;
const LONGEST_CONTENT = 64 * 1024;
export const END_OF_HEAD = "\r\n\r\n";

const METHODS = ["GET ", "HEAD ", "POST "];
const REQUEST_LINE = /^(?:GET|HEAD|POST) ([^\s?]*)[^\r\n]* HTTP\/1\.[01]\r\n/;
/** The paths that DIRTSAND and NAGUS serve, which others may serve, too. */
const COMMON_PATHS: ReadonlySet<string> = new Set(["/status", "/welcome"]);
/** The paths that are compiled into clients without a `server.ini`. */
const OWN_PATHS: ReadonlySet<string> = new Set(["/serverstatus/moullive.php", "/serverstatus/moulbeta.php"]);
/** How the launcher and the game client call themselves. */
const GAME_CLIENT = /\r\nUser-Agent:[ \t]*UruClient\/\d/i;

/** How every reply begins. */
export const VERSION = "HTTP/1.";
const OK = /^HTTP\/1\.[01] 200(?: OK)?\r\n/i;
const LENGTH = /\nContent-Length:[ \t]*(\d{1,9})[ \t]*\r\n(?![ \t])/i;
const CONTENT_TYPE = /\nContent-Type:[ \t]*([\w/+.-]+)[ \t]*(?:;[ \t]*charset=([\w-]+)[ \t]*)?\r\n(?![ \t])/i;
const DIRTSAND = /\nServer: Dirtsand\r\n/;
/** NAGUS is an HTTP server of Python's, and serves its text in the code page of Windows clients. */
const PYTHON = /\nServer: BaseHTTP\//;
const CODE_PAGE = "windows-1252";
/** The status as JSON; DIRTSAND puts names in single quotes. */
const STATUS_JSON = /^\{\s*["']online["']\s*:\s*(?:true|false)\s*,\s*["']welcome["']\s*:\s*"(?:[^"\\]|\\.)*"\s*\}\s*$/s;

/** Who asked for the status: the game client, somebody else by one of the paths, or a path that only MOUL has. */
export type Asked = "by the game" | "common path" | "own path";

/** What the head of a request asks for; undefined if that is not the status of a shard. */
export function askedIn(head: string): Asked | undefined {
  const path = REQUEST_LINE.exec(head)?.[1];
  if (path === undefined) return undefined;
  if (GAME_CLIENT.test(head)) return "by the game";
  if (OWN_PATHS.has(path)) return "own path";
  return COMMON_PATHS.has(path) ? "common path" : undefined;
}

/** True if the path in a head is one under which shards serve their status: it reveals nothing. */
export function hasKnownPath(head: string): boolean {
  const path = REQUEST_LINE.exec(head)?.[1] ?? "";
  return OWN_PATHS.has(path) || COMMON_PATHS.has(path);
}

/** The length in bytes that a head says its content has; undefined if it says none, or not only that one. */
export function lengthIn(head: string): number | undefined {
  const saying = head.match(/^(?:Content-Length|Transfer-Encoding)/gim)?.length ?? 0;
  const length = saying === 1 ? LENGTH.exec(head)?.[1] : undefined;
  return length === undefined ? undefined : Number(length);
}

/** True if the content after this head is the text of a status, as text or in the form of JSON that shards use. */
export function isStatusText(head: string, content: string): boolean {
  const type = CONTENT_TYPE.exec(head)?.[1]?.toLowerCase();
  if (!OK.test(head) || /^Content-Encoding/im.test(head)) return false;
  if (type === "application/json") return STATUS_JSON.test(content);
  return type === "text/plain" || (type === undefined && !/^Content-Type/im.test(head));
}

/** True if whether the content is the text of a status depends on all of it. */
export function isJson(head: string): boolean {
  return CONTENT_TYPE.exec(head)?.[1]?.toLowerCase() === "application/json";
}

/**
 * Decides whether what a server answers shows that it is a status server.
 *
 * @param answer its bytes from the head of a reply on, one per character
 * @param isAll true if no more will come
 */
export function answersStatus(asked: Asked, answer: string, isAll: boolean): Recognition {
  if (!answer.slice(0, VERSION.length).startsWith(VERSION.slice(0, answer.length))) return "no";
  const end = answer.indexOf(END_OF_HEAD);
  if (end < 0) return isAll || answer.length > LONGEST_HEAD ? "no" : "more";
  const head = answer.slice(0, end + END_OF_HEAD.length);
  // Before the reply itself.
  if (/^HTTP\/1\.[01] 100/.test(head)) return answersStatus(asked, answer.slice(head.length), isAll);
  if (DIRTSAND.test(head)) return "yes";
  const [, type = "", charset] = CONTENT_TYPE.exec(head) ?? [];
  if (PYTHON.test(head) && type.toLowerCase() === "text/plain" && charset === CODE_PAGE) return "yes";
  if (asked === "own path" && OK.test(head) && /^text\//i.test(type)) return "yes";
  const length = lengthIn(head) ?? Number.POSITIVE_INFINITY;
  if (!isJson(head) || length > LONGEST_CONTENT) return "no";
  const content = answer.slice(head.length, head.length + length);
  if (content.length < length) return isAll ? "no" : "more";
  return isStatusText(head, content) ? "yes" : "no";
}

/** Recognises a conversation with a status server by its first request, or also by what is answered. */
export function recogniseStatus({ c2s, s2c, final }: Pick<Opening, "c2s" | "s2c" | "final">): Recognition {
  const head = latin1(c2s, LONGEST_HEAD);
  if (!METHODS.some((method) => head.startsWith(method) || method.startsWith(head))) return "no";
  const end = head.indexOf(END_OF_HEAD);
  if (end < 0 && head.length < LONGEST_HEAD && !final) return "more";
  const asked = askedIn(end < 0 ? head : head.slice(0, end + END_OF_HEAD.length));
  if (asked === undefined || asked === "by the game") return asked === undefined ? "no" : "yes";
  return answersStatus(asked, latin1(s2c, LONGEST_HEAD + LONGEST_CONTENT), false);
}

/** Bytes as text, one per character. */
export function latin1(bytes: Uint8Array, most = bytes.length): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, most)).toString("latin1");
}
