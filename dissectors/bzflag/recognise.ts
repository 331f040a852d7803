import type { Endpoint, Opening, Window } from "moul-dissect/dissector";
import { decodeText } from "moul-dissect/schema";
import { Announcements } from "./announcements.js";
import { PingCodeReply } from "./classic/ping.js";
import { isLinkDatagram } from "./classic/udp-link.js";
import { multicast, newest, type Version } from "./classic/versions.js";
import { listKind } from "./list/recognise.js";
import { headAt, looksFramed } from "./message-table.js";
import { codeOf, HEADER_BYTES, MAX_MESSAGE_BYTES } from "./messages.js";
import { type Spoken, spokenAnywhere, spokenMidstream } from "./midstream.js";
import { isModernDatagram } from "./modern/datagram.js";
import { BANNED, CLIENT_HELLO, OTHER_VERSION, SERVER_VERSION } from "./modern/hello.js";
import { isPingReply, isWholePingReply, pings } from "./pings.js";
import { windowOn } from "./window-on.js";

/** Servers listen for clients, pings and datagrams of the UDP link here. Source: facts, section 1. */
export const SERVER_PORT = 5155;
/** Pings are broadcast, and players multicast, to this port; modern servers listen here. Source: facts, sections 1, 10. */
export const BROADCAST_PORT = 5154;
/** Reconnections of 1.7e6 and later, and list servers. Source: facts, section 1. */
export const RECONNECT_PORT = 5156;
const SERVER_PORTS: ReadonlySet<number> = new Set([SERVER_PORT, BROADCAST_PORT, RECONNECT_PORT]);
/** Clients take the first free port from here up for the UDP link. Source: facts, section 1, "client UDP port". */
const LINK_CLIENT_PORT = 17_200;
/** Where players multicast to. Source: facts, section 1, "multicast group". */
const GROUP = "224.0.1.2";

/**
 * Consecutive datagrams of 2.4 that rule out chance on a port about which nothing is known. One of them has to show
 * which side is the server: what players tell each other looks the same from both sides.
 */
const ENOUGH_DATAGRAMS = 4;

/** Kinds of conversations. */
type Kind =
  | { readonly is: "hello" | "modern" | "list" | "udp" }
  | { readonly is: "game"; readonly version: Version }
  /** Datagrams that look modern, one of them perhaps by chance: see `countDatagram`. */
  | { readonly is: "possibly modern"; readonly isOneWay: boolean };

/** The kind of a conversation, by its first bytes: "more" if there are too few, undefined if it is not BZFlag. */
export function kindOf(opening: Opening): Kind | "more" | undefined {
  return opening.transport === "tcp" ? streamKind(opening) : datagramKind(opening);
}

function streamKind(opening: Opening): Kind | "more" | undefined {
  const { client, server, c2s, s2c, midstream, shared } = opening;
  const announcements = Announcements.in(shared);
  const text = decodeText(c2s.subarray(0, CLIENT_HELLO.length));
  if (text === CLIENT_HELLO) return { is: "modern" };
  const greeting = helloKind(s2c);
  if (greeting !== undefined) return greeting;
  // Sentences may begin like this, so a server must be expected there.
  const isServer = isUsualServer(client, server) || announcements.isModernServer(server);
  if (isServer && decodeText(s2c.subarray(0, BANNED.length)) === BANNED) return { is: "modern" };
  if (text !== "" && CLIENT_HELLO.startsWith(text)) return "more";

  const version = announcements.versionAt(server);
  const reconnected = version && gameKind(version, c2s, s2c);
  if (reconnected !== undefined) return reconnected;
  const kind =
    listKind(c2s, s2c, announcements.isListServer(server)) ?? gameKindByContent(opening) ?? midstreamKind(opening);
  // As long as the client has not said much, the server's answer may still show who it is.
  const mayAnswer = !midstream && s2c.length === 0 && c2s.length <= MAX_MESSAGE_BYTES;
  return kind ?? (mayAnswer && isUsualServer(client, server) ? "more" : undefined);
}

/** Recognises a connection without its beginning by several consecutive messages; on a usual server port, by fewer. */
function midstreamKind(opening: Opening): Kind | "more" | undefined {
  const { client, server, midstream } = opening;
  if (isUsualServer(client, server)) {
    return kindSpoken(spokenMidstream(opening, server.port === BROADCAST_PORT ? "modern" : "classic"));
  }
  return midstream && !isUsualServer(server, client) ? kindSpoken(spokenAnywhere(opening)) : undefined;
}

function kindSpoken(spoken: Spoken | "more" | undefined): Kind | "more" | undefined {
  if (spoken === "classic") return { is: "game", version: newest };
  return spoken === "modern" ? { is: "modern" } : spoken;
}

/** True if, judging by the ports, the second end is the server and the first is not. */
function isUsualServer(client: Endpoint, server: Endpoint): boolean {
  return SERVER_PORTS.has(server.port) && !SERVER_PORTS.has(client.port);
}

/** True if the bytes received so far from a server begin like its version. */
export function beginsWithHello(s2c: Uint8Array): boolean {
  const text = decodeText(s2c.subarray(0, 4));
  return text !== "" && "BZFS".startsWith(text);
}

function helloKind(s2c: Uint8Array): Kind | "more" | undefined {
  if (!beginsWithHello(s2c)) return undefined;
  if (s2c.length < SERVER_VERSION.length) return "more";
  const version = decodeText(s2c.subarray(0, SERVER_VERSION.length));
  if (/^BZFS107\w$/.test(version)) return { is: "hello" };
  // Newer versions stay on the same connection, whether their messages are declared or not.
  return OTHER_VERSION.test(version) ? { is: "modern" } : undefined;
}

/** A connection to a port that a hello has announced: framed messages, no matter which side speaks first. */
function gameKind(version: Version, c2s: Uint8Array, s2c: Uint8Array): Kind | "more" | undefined {
  const framed =
    c2s.length > 0
      ? looksFramed(version.messages.c2s, windowOn(c2s))
      : looksFramed(version.messages.s2c, windowOn(s2c));
  if (framed === undefined) return "more";
  return framed ? { is: "game", version } : undefined;
}

/**
 * The first message of clients on their second connection: its code, and the length of its content. Source: facts,
 * section 4.
 */
const firstMessages: ReadonlyMap<number, number> = new Map([
  [codeOf("gw"), 2],
  [codeOf("en"), 172],
  [codeOf("qg"), 0],
  [codeOf("qp"), 0],
  [codeOf("wh"), 0],
]);

/** Bytes of the last piece of a world, which has no data. */
const END_OF_WORLD = HEADER_BYTES + 2;

/**
 * Without a hello, a client's first message is enough: a length and two letters that fit together. A message without
 * content is the same in the modern protocol, which begins differently: in midstream, what comes with it has to decide.
 */
function gameKindByContent(opening: Opening): Kind | "more" | undefined {
  const { client, server, c2s, midstream } = opening;
  if (midstream && isUsualServer(server, client)) return undefined;
  // The lengths are below 256.
  if (c2s[0] !== 0) return undefined;
  const head = headAt(windowOn(c2s));
  if (head === undefined) return "more";
  if (firstMessages.get(head.code) !== head.length - HEADER_BYTES) return undefined;
  if (midstream && head.code === codeOf("gw") && !isUsualServer(client, server)) return worldKind(opening);
  const isAmbiguous = midstream && head.length === HEADER_BYTES;
  return kindSpoken((isAmbiguous ? spokenMidstream(opening, "classic", { enough: 0 }) : undefined) ?? "classic");
}

/**
 * The end of a world, as a server sends it, looks like a client's first request for it, which is answered by the
 * beginning of a world.
 */
function worldKind({ s2c, final }: Opening): Kind | "more" | undefined {
  const head = headAt(windowOn(s2c));
  if (head === undefined) return final ? undefined : "more";
  return head.code === codeOf("gw") && head.length > END_OF_WORLD ? kindSpoken("classic") : undefined;
}

function datagramKind({ client, server, c2s, s2c, shared }: Opening): Kind | "more" | undefined {
  const announcements = Announcements.in(shared);
  const isModern = announcements.isModern(client, server);
  if (isModern !== undefined) return isModern ? { is: "modern" } : undefined;
  const direction = c2s.length > 0 ? "c2s" : "s2c";
  const window = windowOn(direction === "c2s" ? c2s : s2c);
  if (isLinkDatagram(window)) return serverIs(client, server, announcements) ? undefined : { is: "udp" };
  const head = headAt(window);
  if (head === undefined) return undefined;
  // A modern client opens the UDP side with its player id.
  if (head.code === codeOf("of") && head.length === 5 && c2s.length === 5) return { is: "modern" };
  // The side that answers a ping is the server, even if the answer is all that was captured.
  if (pings.declared(head) !== undefined && isPingReply(head) !== (direction === "s2c")) return undefined;
  if (isPlainDatagram(window, server)) return { is: "udp" };
  if (!isModernDatagram(direction, window)) return undefined;
  // If the beginning of their connection is missing, the datagrams themselves are the only evidence.
  if (isUsualServer(client, server) || announcements.isModernServer(server)) return { is: "modern" };
  return { is: "possibly modern", isOneWay: !isModernDatagram(direction === "c2s" ? "s2c" : "c2s", window) };
}

/**
 * Counts a datagram that is possibly modern; true once there are enough of them between these ends.
 *
 * @param isOneWay true if it could not be one the other way round
 */
export function countDatagram({ client, server, shared }: Opening, isOneWay: boolean): boolean {
  const seen = Announcements.in(shared).possibleDatagram(client, server, isOneWay);
  return seen.count >= ENOUGH_DATAGRAMS && seen.isOneWay;
}

/** True if the first end, not the second, is the server of a link. */
function serverIs(first: Endpoint, second: Endpoint, announcements: Announcements): boolean {
  if (announcements.isLinkServer(first) || announcements.isLinkServer(second)) return announcements.isLinkServer(first);
  if (second.port === SERVER_PORT) return false;
  return first.port === SERVER_PORT || (first.port < LINK_CLIENT_PORT && second.port >= LINK_CLIENT_PORT);
}

/** True for a datagram with one message: a multicast from a player, or a ping. */
function isPlainDatagram(window: Window, to: Endpoint): boolean {
  const head = headAt(window);
  const type = head && (pings.declared(head) ?? multicast.declared(head));
  if (head === undefined || type === undefined) return false;
  const length = window.end - window.start;
  if (type === PingCodeReply) return isWholePingReply(window);
  if (head.length !== length) return false;
  // A message of fixed length is recognised by it; any other only where it is usual.
  const isFixed = type.struct.fields.every((field) => field.width > 0 || field.struct !== undefined);
  return isFixed ? length === type.struct.minimumWidth : to.port === BROADCAST_PORT || to.address === GROUP;
}
