import type { Direction } from "moul-dissect/dissector";
import type { StructType } from "moul-dissect/schema";
import { Auth2Cli_ClientRegisterReply, Cli2Auth_ClientRegisterRequest } from "../../messages/auth/client.js";
import { Cli2Game_JoinAgeRequest, Game2Cli_JoinAgeReply } from "../../messages/game/age.js";
import { csr, servers } from "../../messages/index.js";
import type { ServerMessages } from "../../messages/messageTable.js";
import { type Trial, tryKey } from "../encryption/key-trial.js";
import { EMPTY_SETUP_BYTES, emptySetup } from "../setup-packets.js";

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
/** Most bytes that are examined for each byte of a direction in search of messages in a row. */
const MOST_WORK = 16;

/** Bytes in total that show what a connection without its beginning is, if anything does, if one side says little. */
const ONE_MIDSTREAM = 48 * 1024;
/** The same if both sides say something: several messages of one side, even if the other begins within a message. */
const BOTH_MIDSTREAM = 4096;
/** Bytes of each side for both of them to count. */
const EACH_MIDSTREAM = 256;

/**
 * Messages that open a conversation with a server, and do not come again, unless a log-in has failed. Their contents can
 * be anything: three requests for vault nodes look like a request to join an age, if the capture begins in the middle of
 * the first one.
 */
export const opening: ReadonlySet<StructType<unknown>> = new Set<StructType<unknown>>([
  Cli2Auth_ClientRegisterRequest,
  Auth2Cli_ClientRegisterReply,
  Cli2Game_JoinAgeRequest,
  Game2Cli_JoinAgeReply,
]);

/** The server whose messages in the clear these bytes are; undefined if none makes sense, or several do equally. */
export function serverSpoken(c2s: Uint8Array, s2c: Uint8Array): ServerMessages | undefined {
  if (areOnlyPings(c2s, s2c, MOST_MESSAGES)) return undefined;
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
    const needed = isTogether ? TOGETHER : neededAlone(server);
    if (messages < needed || messages < most) continue;
    best = messages === most ? undefined : server;
    most = messages;
  }
  return (fitting > 1 ? undefined : best) ?? serverBegun(s2c);
}

/**
 * True if both directions say nothing but pings of some server. Those with small times also make sense as other messages
 * of another one.
 *
 * @param most messages of each direction that are examined
 */
function areOnlyPings(c2s: Uint8Array, s2c: Uint8Array, most: number): boolean {
  const arePings = (server: ServerMessages, direction: Direction, bytes: Uint8Array) => {
    const { messages, telling, stop } = tryMidstream(server, direction, bytes, most);
    return stop !== "nonsense" && telling === 0 && (messages > 0 || bytes.length === 0);
  };
  return candidates.some((server) => arePings(server, "c2s", c2s) && arePings(server, "s2c", s2c));
}

function neededAlone(server: ServerMessages): number {
  return server.begin === "length" ? FRAMED_ALONE : ALONE;
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
  return tryMidstream(server, direction, bytes, MOST_MESSAGES);
}

/**
 * Tests how much sense the first bytes of a direction make as messages in the clear of a connection whose beginning was
 * not captured. If they begin with a set-up packet, only bytes before that are missing: the messages come after it.
 */
export function tryMidstream(server: ServerMessages, direction: Direction, bytes: Uint8Array, most?: number): Trial {
  return emptySetup(direction, bytes) === undefined
    ? tryWithin(server, direction, bytes, most)
    : tryKey(server, direction, bytes.subarray(EMPTY_SETUP_BYTES), { most });
}

/** Tests how much sense bytes make as messages in the clear that may begin in the middle of one. */
function tryWithin(server: ServerMessages, direction: Direction, bytes: Uint8Array, most?: number): Trial {
  return tryKey(server, direction, bytes, { most, once: opening });
}

/**
 * The server whose messages in the clear these bytes are, wherever in them one begins: both directions may begin in the
 * middle of a message. It takes several in a row in one direction, and twice as many as make sense for any other server.
 * This tries every place, so it is for a time when there are enough bytes: see `isEnoughMidstream`.
 */
export function serverWithin(c2s: Uint8Array, s2c: Uint8Array): ServerMessages | undefined {
  if (areOnlyPings(c2s, s2c, Number.POSITIVE_INFINITY)) return undefined;
  const found = candidates
    .map((server) => ({ server, c2s: longestRun(server, "c2s", c2s), s2c: longestRun(server, "s2c", s2c) }))
    .map(({ server, c2s, s2c }) => ({ server, longest: Math.max(c2s, s2c), all: c2s + s2c }))
    .sort((one, other) => other.all - one.all);
  const [best, next] = found;
  if (best === undefined || best.longest < neededAlone(best.server)) return undefined;
  return next === undefined || best.all >= 2 * next.all ? best.server : undefined;
}

/** Whether several messages in a row of a server begin somewhere in the bytes of a direction. */
export function speaksWithin(server: ServerMessages, direction: Direction, bytes: Uint8Array): boolean {
  return longestRun(server, direction, bytes) >= neededAlone(server);
}

/** The most telling messages in a row that begin anywhere in these bytes, and do not end in nonsense. */
function longestRun(server: ServerMessages, direction: Direction, bytes: Uint8Array): number {
  let most = 0;
  let work = bytes.length * MOST_WORK;
  for (let start = 0; start < bytes.length && most < MOST_MESSAGES && work > 0; start++) {
    const run = tryWithin(server, direction, bytes.subarray(start), MOST_MESSAGES);
    work -= run.work;
    if (run.stop !== "nonsense") most = Math.max(most, run.telling);
  }
  return most;
}

/** True if there are enough bytes to show which server it is, if anything does: `serverWithin` may be asked. */
export function isEnoughMidstream(c2s: Uint8Array, s2c: Uint8Array): boolean {
  // A file may come in one long message, with its request before the capture began.
  const areBoth = Math.min(c2s.length, s2c.length) >= EACH_MIDSTREAM;
  return c2s.length + s2c.length >= (areBoth ? BOTH_MIDSTREAM : ONE_MIDSTREAM);
}
