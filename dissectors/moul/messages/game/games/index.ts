/** The kinds of games that the game manager runs. */

import type { Direction } from "moul-dissect/dissector";
import type { StructType, Type } from "moul-dissect/schema";
import { BlueSpiral } from "./blueSpiral.js";
import { ClimbingWall } from "./climbingWall.js";
import type { GameKind } from "./gameKind.js";
import { Heek } from "./heek.js";
import { Marker } from "./marker.js";
import { TicTacToe } from "./ticTacToe.js";
import { VarSync } from "./varSync.js";

/** All kinds of games. */
const gameKinds: readonly GameKind[] = [BlueSpiral, ClimbingWall, Heek, Marker, TicTacToe, VarSync];

const FIRST_NUMBER = { c2s: 3, s2c: 4 };
const kindOfName = new Map(gameKinds.map((kind) => [kind.name, kind]));

/** What each kind of game says and understands; the summary of a message names its body. */
const bodies = new Map(
  gameKinds.map(({ name, c2s, s2c }) => [
    name,
    { c2s: c2s.map((body) => body.inSummary()), s2c: s2c.map((body) => body.inSummary()) },
  ]),
);

/** The body of the message with this number of a kind of game; undefined if there is none. */
export function gameBody(kind: string, direction: Direction, messageId: number): Type<unknown> | undefined {
  return bodies.get(kind)?.[direction][messageId - FIRST_NUMBER[direction]];
}

/** The messages of all kinds of games in one direction. */
export function gameBodies(direction: Direction): StructType<unknown>[] {
  return gameKinds.flatMap((kind) => kind[direction]);
}

/** The same by the kind of game and the number of the message: `Marker 4`. */
export function namedBodies(direction: Direction): Record<string, Type<unknown>> {
  const named = [...bodies].flatMap(([kind, { [direction]: own }]) =>
    own.map((body, index): [string, Type<unknown>] => [`${kind} ${FIRST_NUMBER[direction] + index}`, body]),
  );
  return Object.fromEntries(named);
}

/** Parameters for starting any kind of game. */
export const createParams: readonly StructType<unknown>[] = gameKinds.flatMap(({ createParam: param }) => param ?? []);

/** Parameters for starting a game of this kind; undefined if it needs none, or if there is no such kind. */
export function createParam(kind: string | undefined): StructType<unknown> | undefined {
  return kind === undefined ? undefined : kindOfName.get(kind)?.createParam;
}

/** Every struct that only games use. */
export const gameStructs: readonly StructType<unknown>[] = gameKinds.flatMap(({ c2s, s2c, createParam: param }) => [
  ...c2s,
  ...s2c,
  ...(param === undefined ? [] : [param]),
]);
