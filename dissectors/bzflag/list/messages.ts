import { array, enumeration, flags, group, type Members, rest, type StructType, struct, u8 } from "moul-dissect/schema";
import { gameInfo as numbers } from "../classic/game.js";
import { GameStyle } from "../enums.js";
import { decimal, emptyLine, hex16, lastHex16, line, lines, word, wordLike } from "./text.js";

/** Requests to a list server and its answers, in text. Source: facts, section 7. */

/** Name of the protocol of list servers. */
export const LIST_PROTOCOL = "bzflag.list";

const command = wordLike(/^[A-Z]{1,7}$/, "is not a command", "^%u%u?%u?%u?%u?%u?%u?$");
const host = word.sensitive("ip-address").doc("Address and port of the game server.").inSummary();
const version = wordLike(/^BZFS\d{3}\w$/, "is not a version", "^BZFS%d%d%d[%w_]$").inSummary();
const title = line.sensitive("text").inSummary();
const end = emptyLine.doc("The empty line that ends a request.");

/** The 18 numbers that describe a game, as 72 hexadecimal digits. */
const gameInfo: Members = {
  ...Object.fromEntries(Object.keys(numbers).map((name) => [name, hex16])),
  gameStyle: flags(hex16, GameStyle),
  maxTime: lastHex16,
};

const ListServerAdd = struct("ListServerAdd", {
  command,
  server: host,
  build: decimal,
  version,
  ...gameInfo,
  title,
  end,
});

const ListServerRemove = struct("ListServerRemove", { command, server: host, end });

const ListServerSetNum = struct("ListServerSetNum", {
  command,
  server: host,
  rogueCount: decimal,
  redCount: decimal,
  greenCount: decimal,
  blueCount: decimal,
  purpleCount: decimal,
  end,
});

export const ListServerList = struct("ListServerList", { command, end });

export const ListServerGet = struct("ListServerGet", {
  command,
  url: word.sensitive("token").inSummary(),
  httpVersion: wordLike(/^HTTP\/1\.\d$/, "is not a version", "^HTTP/1%.%d$"),
  headers: lines.sensitiveHttp("machine"),
});

/** Answers ListServerAdd, ListServerRemove and ListServerSetNum. */
export const ListServerResult = struct("ListServerResult", {
  result: enumeration(u8, { Ok: 0, Refused: 1 }).inSummary(),
});

/** A server in the list. */
const entry = group({ server: host, version, ...gameInfo, ip: word.sensitive("ip-address"), title });

/** The same, as the list servers of 1.7d write it. */
const entry17d = group({ server: host, version, ...gameInfo, title });

/** Answers ListServerList. */
export const ListServerEntries = struct("ListServerEntries", { servers: array(entry, rest) });
export const ListServerEntries17d = struct("ListServerEntries", { servers: array(entry17d, rest) });

const httpHead = { status: line.sensitiveHttp("text").inSummary(), headers: lines.sensitiveHttp("machine") };

/** Answers ListServerGet. */
export const ListServerHttpReply = struct("ListServerHttpReply", { ...httpHead, servers: array(entry, rest) });
export const ListServerHttpReply17d = struct("ListServerHttpReply", { ...httpHead, servers: array(entry17d, rest) });

/** The requests of clients and game servers, by the word that each begins with. */
export const requests: ReadonlyMap<string, StructType<unknown>> = new Map<string, StructType<unknown>>([
  ["ADD", ListServerAdd],
  ["REMOVE", ListServerRemove],
  ["SETNUM", ListServerSetNum],
  ["LIST", ListServerList],
  ["GET", ListServerGet],
]);
