import type { Direction } from "moul-dissect/dissector";
import {
  bytes,
  type Derived,
  enumeration,
  type FieldTree,
  flag,
  flags,
  type InferMembers,
  type Members,
  type NameBinding,
  type Resolver,
  resolved,
  rest,
  type StructType,
  struct,
  usually,
  uuid,
  withTwin,
} from "moul-dissect/schema";
import { i32, u32 } from "moul-dissect/schema/little-endian";
import { kiNumber } from "../../common/ids/kiNumber.js";
import { EGameInviteError, EGameJoinError, GameCreateOptions, gameTypes } from "./gameMgrConst.js";
import { createParam, createParams } from "./games/index.js";

function gameTypeOf(nodes: FieldTree, node: number): string | undefined {
  return gameTypes.get(nodes.textIn(node, "gameTypeId") ?? "");
}
withTwin(gameTypeOf, "gameType", () => Object.fromEntries(gameTypes));

const gameType: Derived = {
  name: "gameType",
  doc: "Name of the kind of game that the UUID stands for.",
  schema: { type: "string" },
  of: gameTypeOf,
};

/** A body that names a kind of game. */
function naming<M extends Members>(
  name: string,
  members: M,
  introduces: readonly NameBinding[] = [],
): StructType<InferMembers<M>> {
  return struct(name, members, { derived: [gameType], introduces });
}

/** Gives the kind of the game with a number, on which the meaning of the game's own messages depends. */
const game: NameBinding = {
  kind: "game",
  id: "newGameId",
  name: gameTypeOf,
};

const newGameId = u32.standsFor("game");
const createOptions = flags(u32, GameCreateOptions);

const otherData = bytes(rest).sensitive("unknown");

const createDataType: Resolver = (member) => createParam(gameTypes.get(String(member("gameTypeId")))) ?? otherData;

/** The parameters by the UUID of the kind of game. */
function knownParams() {
  const params = Array.from(gameTypes, ([uuid, kind]) => [uuid, createParam(kind)] as const);
  return { ...Object.fromEntries(params), other: otherData };
}

const createData = usually(
  "createDataByteCount",
  resolved(withTwin(createDataType, "createData", knownParams), { candidates: createParams }),
);

/** Starts a game. Source: pnGameMgr/pnGameMgr.h. */
const Cli2Srv_GameMgr_CreateGame = naming("Cli2Srv_GameMgr_CreateGame", {
  gameTypeId: uuid,
  createOptions,
  createDataByteCount: u32,
  createData,
});

/**
 * Joins a game by its number, or the common one of a kind; only then does it name the kind.
 * Source: pnGameMgr/pnGameMgr.h; pfGameMgr/pfGameMgr.cpp (2011).
 */
const Cli2Srv_GameMgr_JoinGame = naming("Cli2Srv_GameMgr_JoinGame", {
  newGameId,
  createOptions,
  gameTypeId: uuid.when(flag("createOptions", GameCreateOptions.kGameJoinCommon)),
  createDataByteCount: u32.when(flag("createOptions", GameCreateOptions.kGameJoinCommon)),
  createData: createData.when(flag("createOptions", GameCreateOptions.kGameJoinCommon)),
});

/** Answers Cli2Srv_GameMgr_CreateGame and Cli2Srv_GameMgr_JoinGame. Source: pnGameMgr/pnGameMgr.h. */
const Srv2Cli_GameMgr_GameInstance = naming(
  "Srv2Cli_GameMgr_GameInstance",
  {
    result: enumeration(i32, EGameJoinError),
    ownerId: kiNumber,
    gameTypeId: uuid,
    newGameId,
  },
  [{ ...game, when: { field: "result", is: EGameJoinError.kGameJoinSuccess } }],
);

/** Invites a player to a game. Source: pnGameMgr/pnGameMgr.h. */
const Srv2Cli_GameMgr_InviteReceived = naming(
  "Srv2Cli_GameMgr_InviteReceived",
  {
    inviterId: kiNumber,
    gameTypeId: uuid,
    newGameId,
  },
  [game],
);

/** Takes an invitation back. Source: pnGameMgr/pnGameMgr.h. */
const Srv2Cli_GameMgr_InviteRevoked = naming("Srv2Cli_GameMgr_InviteRevoked", {
  inviterId: kiNumber,
  gameTypeId: uuid,
  newGameId,
});

/** Leaves a game. Source: pnGameMgr/pnGameMgr.h. */
const Cli2Srv_Game_LeaveGame = struct("Cli2Srv_Game_LeaveGame", {});

/** Invites a player to the game. Source: pnGameMgr/pnGameMgr.h. */
const Cli2Srv_Game_Invite = struct("Cli2Srv_Game_Invite", { playerId: kiNumber });

/** Takes a player's invitation back. Source: pnGameMgr/pnGameMgr.h. */
const Cli2Srv_Game_Uninvite = struct("Cli2Srv_Game_Uninvite", { playerId: kiNumber });

/** Says that a player joined the game. Source: pnGameMgr/pnGameMgr.h. */
const Srv2Cli_Game_PlayerJoined = struct("Srv2Cli_Game_PlayerJoined", { playerId: kiNumber });

/** Says that a player left the game. Source: pnGameMgr/pnGameMgr.h. */
const Srv2Cli_Game_PlayerLeft = struct("Srv2Cli_Game_PlayerLeft", { playerId: kiNumber });

/** Says why a player could not be invited. Source: pnGameMgr/pnGameMgr.h. */
const Srv2Cli_Game_InviteFailed = struct("Srv2Cli_Game_InviteFailed", {
  inviteeId: kiNumber,
  operationId: u32,
  error: enumeration(u32, EGameInviteError),
});

/** Names the new owner of the game. Source: pnGameMgr/pnGameMgr.h. */
const Srv2Cli_Game_OwnerChange = struct("Srv2Cli_Game_OwnerChange", { ownerId: kiNumber });

/** The messages of each direction, in the order of their numbers. */
type Bodies = Readonly<Record<Direction, readonly StructType<unknown>[]>>;

/** What the game manager understands and says. */
export const ofManager: Bodies = {
  c2s: [Cli2Srv_GameMgr_CreateGame, Cli2Srv_GameMgr_JoinGame],
  s2c: [Srv2Cli_GameMgr_GameInstance, Srv2Cli_GameMgr_InviteReceived, Srv2Cli_GameMgr_InviteRevoked],
};

/** What all games understand and say. */
export const ofGames: Bodies = {
  c2s: [Cli2Srv_Game_LeaveGame, Cli2Srv_Game_Invite, Cli2Srv_Game_Uninvite],
  s2c: [Srv2Cli_Game_PlayerJoined, Srv2Cli_Game_PlayerLeft, Srv2Cli_Game_InviteFailed, Srv2Cli_Game_OwnerChange],
};
