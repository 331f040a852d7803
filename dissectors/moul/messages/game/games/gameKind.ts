import { type StructType, utf16 } from "moul-dissect/schema";

/** Messages of one kind of game, with a struct without fields for one whose number says everything. */
type Bodies = readonly StructType<unknown>[];

/** What one kind of game says and understands beyond what all do: bodies in the order of their message numbers. */
export interface GameKind {
  readonly name: string;
  /** The first one has number 3. Source: pnGameMgr/pnGameMgr.h, kCli2Srv_NumGameMsgIds. */
  readonly c2s: Bodies;
  /** The first one has number 4. Source: pnGameMgr/pnGameMgr.h, kSrv2Cli_NumGameMsgIds. */
  readonly s2c: Bodies;
  /** Parameters for starting one; most kinds need none. */
  readonly createParam?: StructType<unknown>;
}

/** Names of games, markers and players: 256 units, of which those from the first zero on mean nothing. */
export const gameText = utf16(256 * 2);
/** Names of ages, and UUIDs as text: 80 units. */
export const gameShortText = utf16(80 * 2);
