import { type StructType, utf16 } from "../../../../../src/schema/index.js";

/** A message of one kind of game, or a struct without fields for one that says all by its number. */
type Bodies = readonly StructType<unknown>[];

/** What one kind of game understands beyond what all of them do: bodies in the order of their message numbers. */
export interface GameKind {
  readonly name: string;
  /** The first one has number 3. Source: pnGameMgr/pnGameMgr.h, kCli2Srv_NumGameMsgIds. */
  readonly c2s: Bodies;
  /** The first one has number 4. Source: pnGameMgr/pnGameMgr.h, kSrv2Cli_NumGameMsgIds. */
  readonly s2c: Bodies;
  /** What has to be said to start one; most kinds need nothing. */
  readonly createParam?: StructType<unknown>;
}

/** Names of games, markers and players: 256 units, of which those from the first zero on mean nothing. */
export const gameText = utf16(256 * 2);
/** Names of ages, and UUIDs as text: 80 units. */
export const gameShortText = utf16(80 * 2);
