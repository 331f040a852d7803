import type { Direction } from "moul-dissect/dissector";
import {
  choice,
  type Derived,
  type Resolver,
  reference,
  resolved,
  type StructType,
  struct,
  type Type,
  undeclared,
  within,
  withTwin,
} from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { message, transactionId } from "../message.js";
import { ofGames, ofManager } from "./gameMgr.js";
import { gameBodies, gameBody, namedBodies } from "./games/index.js";

const GAME_MANAGER = 0;

/** What only one kind of game understands, if no earlier message named the kind, or the kind has no such message. */
const GameSpecific = struct("GameSpecific", {
  data: undeclared("What this means depends on the kind of game, which an earlier GameInstance message names."),
});

/** What only one kind of game understands: an earlier message gave the client the game's number and its kind. */
function gameSpecific(direction: Direction) {
  const bodyOf: Resolver = (member, _settings, nameOf) => {
    const kind = nameOf("game", String(member("receivingGameId")));
    const body = kind === undefined ? undefined : gameBody(kind, direction, Number(member("messageId")));
    return body ?? GameSpecific;
  };
  const known = () => ({ ...namedBodies(direction), other: GameSpecific });
  return resolved(withTwin(bodyOf, "gameSpecific", known), { candidates: gameBodies(direction) });
}

const UnknownGameMgr = struct("UnknownGameMgr", {
  data: undeclared("The game manager has no message with this number."),
});

/** Bodies of messages without a name. */
const unnamed: ReadonlySet<string> = new Set([GameSpecific.struct.name, UnknownGameMgr.struct.name]);

const gameMsgHeader = {
  messageId: u32.doc("The game manager and each kind of game have their own numbering.").inSummary(),
  transactionId,
  receivingGameId: reference(u32, "game").doc("0: the game manager, else the number of a game.").inSummary(),
  messageByteCount: u32.doc("Length of this message, header included."),
};

/** Numbers have a different meaning for each kind of game, and many messages consist only of their number. */
const messageName: Derived = {
  name: "messageName",
  doc: "Name of the message that the number stands for, if the kind of game is known.",
  schema: { type: "string" },
  of: (nodes, node) => {
    const body = nodes.child(node, "body");
    const name = body < 0 ? undefined : nodes.field(body).struct?.name;
    return name === undefined || unnamed.has(name) ? undefined : name;
  },
  // The tree shows it next to the body.
  inTree: false,
};

/** Bodies in the order of their message numbers; the summary of a message names its body. */
function numbered(bodies: readonly StructType<unknown>[]): Record<number, Type<unknown>> {
  return Object.fromEntries(bodies.map((body, number) => [number, body.inSummary()]));
}

/** Declares the messages of one direction. */
function gameMsg(name: string, direction: Direction) {
  const ofManagerBody = choice("messageId", numbered(ofManager[direction]), UnknownGameMgr);
  const ofGameBody = choice("messageId", numbered(ofGames[direction]), gameSpecific(direction));
  const body = choice("receivingGameId", { [GAME_MANAGER]: ofManagerBody }, ofGameBody);
  return struct(name, { ...gameMsgHeader, body }, { derived: [messageName] });
}

/** To the game manager, or to one of its games. Source: pnGameMgr/pnGameMgr.h, GameMsgHeader. */
const Cli2Srv_GameMsg = gameMsg("Cli2Srv_GameMsg", "c2s");

/** From the game manager, or from one of its games. Source: pnGameMgr/pnGameMgr.h, GameMsgHeader. */
const Srv2Cli_GameMsg = gameMsg("Srv2Cli_GameMsg", "s2c");

/** Brings a message to the game manager or to a game. Source: pnNetProtocol/pnNpCli2Game.cpp. */
export const Cli2Game_GameMgrMsg = message("Cli2Game_GameMgrMsg", 3, {
  bufferLength: u32,
  buffer: within("bufferLength", Cli2Srv_GameMsg),
});

/** Brings a message from the game manager or from a game. Source: pnNetProtocol/pnNpCli2Game.cpp. */
export const Game2Cli_GameMgrMsg = message("Game2Cli_GameMgrMsg", 3, {
  bufferLength: u32,
  buffer: within("bufferLength", Srv2Cli_GameMsg),
});
