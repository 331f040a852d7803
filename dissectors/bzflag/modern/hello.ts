import { bytes, remarked, rest, struct, text, u8 } from "moul-dissect/schema";

/** The handshake; the connection then continues with framed messages. Source: facts, section 10, "hello". */

/** What a client begins with. */
export const CLIENT_HELLO = "BZFLAG\r\n\r\n";

/** The answer of a server of the version that is declared here. */
export const SERVER_VERSION = "BZFS0221";

/**
 * What a server says instead to a client that has not greeted it in time, before it hangs up. Source: src/bzfs/bzfs.cxx
 * of 2.4.
 */
export const FAREWELL = `${SERVER_VERSION}\r\n\r\n`;
export const ServerFarewell = struct("ServerFarewell", { text: text(FAREWELL.length).public().inSummary() });

/** What servers of versions other than 1.7 begin with. Source: facts, section 3. */
export const OTHER_VERSION = /^BZFS(?!107)\d{3}\w/;

export const ClientHello = struct("ClientHello", { text: text(CLIENT_HELLO.length).public() });

/** Instead of the id of a player: there is no room for one. Source: src/bzfs/bzfs.cxx of 2.4 (`MakePlayer`). */
export const REFUSED_PLAYER = 0xff;

export const ServerHello = struct("ServerHello", {
  version: text(8).public().inSummary(),
  player: remarked(u8, (player) => (player === REFUSED_PLAYER ? "refused" : undefined))
    .doc("Id of the new player; 255: refused.")
    .inSummary(),
});

/** All that is known about the greeting of a server whose messages are not declared. */
export const UndeclaredHello = struct("ServerHello", { version: text(8).public().inSummary() });

/** What clients send to such a server. */
export const UndeclaredMessages = struct("UndeclaredMessages", { undissected: bytes(rest).sensitive("unknown") });

/** What banned clients get instead. */
export const REFUSAL = "REFUSED:";
export const ServerRefusal = struct("ServerRefusal", {
  text: text(REFUSAL.length).public(),
  reason: text(rest).sensitive("text").inSummary(),
});

/**
 * What a server says to a banned address from which something other than the greeting of a client comes; the reason for
 * the ban and who imposed it follow. Source: src/bzfs/bzfs.cxx of 2.4.
 */
export const BANNED = "banned for";
export const ServerBan = struct("ServerBan", {
  text: text(BANNED.length).public(),
  reason: text(rest).sensitive("text").inSummary(),
});
