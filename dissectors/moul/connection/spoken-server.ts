import type { StructType } from "../../../src/schema/index.js";
import type { Direction } from "../../../src/session/dissector.js";
import { Auth2Cli_ClientRegisterReply, Cli2Auth_ClientRegisterRequest } from "../messages/auth/client.js";
import { Cli2Game_JoinAgeRequest, Game2Cli_JoinAgeReply } from "../messages/game/age.js";
import { csr, servers } from "../messages/index.js";
import type { ServerMessages } from "../messages/messageTable.js";
import { type Trial, tryKey } from "./key-trial.js";
import { EMPTY_SETUP_BYTES, emptySetup } from "./setup-packets.js";

/** Servers that a connection without its beginning may belong to: those for customer support are no longer in use. */
const candidates = servers.filter((server) => server !== csr);
/** Messages in a row that settle it: in one direction alone, or if both directions have some. */
const ALONE = 6;
const TOGETHER = 4;
/** The same in one direction alone with the file server, whose messages also give their length. */
const FRAMED_ALONE = 3;
/** The same after the set-up packet of a server that does not encrypt, if they make sense for no other server. */
const AFTER_SETUP = 2;
/** Most messages in a row that are examined. */
const MOST_MESSAGES = 12;

/**
 * Messages that open a conversation with a server, and do not come again. Their contents can be anything: three requests
 * for vault nodes look like a request to join an age, if the capture begins in the middle of the first one.
 */
const opening: ReadonlySet<StructType<unknown>> = new Set<StructType<unknown>>([
  Cli2Auth_ClientRegisterRequest,
  Auth2Cli_ClientRegisterReply,
  Cli2Game_JoinAgeRequest,
  Game2Cli_JoinAgeReply,
]);

/** The server whose messages in the clear these bytes are; undefined if none makes sense, or several do equally. */
export function serverSpoken(c2s: Uint8Array, s2c: Uint8Array): ServerMessages | undefined {
  let best: ServerMessages | undefined;
  let most = 0;
  let fitting = 0;
  for (const server of candidates) {
    const trials = [trial(server, "c2s", c2s), trial(server, "s2c", s2c)];
    const sense = trials.filter(({ stop }) => stop !== "nonsense");
    const messages = sense.reduce((sum, { telling }) => sum + telling, 0);
    // A direction may begin in the middle of a message; but a few messages of the other one alone may be chance.
    const isTogether = sense.length === trials.length && trials.every(({ telling }) => telling > 0);
    if (isTogether) fitting++;
    const needed = isTogether ? TOGETHER : server.begin === "length" ? FRAMED_ALONE : ALONE;
    if (messages < needed || messages < most) continue;
    best = messages === most ? undefined : server;
    most = messages;
  }
  return (fitting > 1 ? undefined : best) ?? serverBegun(s2c);
}

/**
 * The server that says in its first bytes that it does not encrypt, if the next ones make sense for one server only.
 */
function serverBegun(s2c: Uint8Array): ServerMessages | undefined {
  if (emptySetup("s2c", s2c) === undefined) return undefined;
  const trials = candidates.map((server) => ({ server, ...trial(server, "s2c", s2c) }));
  const [only, other] = trials.filter(({ stop }) => stop !== "nonsense");
  return only !== undefined && other === undefined && only.telling >= AFTER_SETUP ? only.server : undefined;
}

function trial(server: ServerMessages, direction: Direction, bytes: Uint8Array): Trial {
  return tryMidstream(server, direction, messagesOf(direction, bytes), MOST_MESSAGES);
}

/** Tests how much sense bytes make as messages in the clear of a connection whose beginning was not captured. */
export function tryMidstream(server: ServerMessages, direction: Direction, bytes: Uint8Array, most?: number): Trial {
  return tryKey(server, direction, bytes, { most, once: opening });
}

/** The bytes after the set-up packet, if there is one: only bytes before it may have been lost. */
export function messagesOf(direction: Direction, bytes: Uint8Array): Uint8Array {
  return emptySetup(direction, bytes) !== undefined ? bytes.subarray(EMPTY_SETUP_BYTES) : bytes;
}
