import { array, bool, enumeration, struct, u8 } from "moul-dissect/schema";
import { i32 } from "moul-dissect/schema/little-endian";
import type { GameKind } from "./gameKind.js";

/** Source: pnGameMgr/pnGmClimbingWall.h (2011). */
const EClimbingWallReadyType = { kClimbingWallReadyNumBlockers: 0, kClimbingWallReadyBlockers: 1 };

const readyType = enumeration(u8, EClimbingWallReadyType);
const team = u8.doc("1 or 2.");
const blockers = array(i32, 20).doc("The blocker in each place, -1 where there is none.");
const localOnly = bool.doc("Concerns only this client's display.");

/** The climbing wall of Gahreesen. Source: pnGameMgr/pnGmClimbingWall.h (2011). */
export const ClimbingWall: GameKind = {
  name: "ClimbingWall",
  c2s: [
    struct("Cli2Srv_ClimbingWall_ChangeNumBlockers", { amountToAdjust: i32 }),
    struct("Cli2Srv_ClimbingWall_Ready", { readyType, teamNumber: team }),
    struct("Cli2Srv_ClimbingWall_BlockerChanged", { teamNumber: team, blockerNumber: u8, added: bool }),
    struct("Cli2Srv_ClimbingWall_Reset", {}),
    struct("Cli2Srv_ClimbingWall_PlayerEntered", { teamNumber: team }),
    struct("Cli2Srv_ClimbingWall_FinishedGame", {}),
    struct("Cli2Srv_ClimbingWall_Panic", {}),
  ],
  s2c: [
    struct("Srv2Cli_ClimbingWall_NumBlockersChanged", { newBlockerCount: u8, localOnly }),
    struct("Srv2Cli_ClimbingWall_Ready", { readyType, team1Ready: bool, team2Ready: bool, localOnly }),
    struct("Srv2Cli_ClimbingWall_BlockersChanged", { teamNumber: team, blockersSet: blockers, localOnly }),
    struct("Srv2Cli_ClimbingWall_PlayerEntered", {}),
    struct("Srv2Cli_ClimbingWall_SuitMachineLocked", { team1MachineLocked: bool, team2MachineLocked: bool, localOnly }),
    struct("Srv2Cli_ClimbingWall_GameOver", {
      teamWon: team,
      team1Blockers: blockers,
      team2Blockers: blockers,
      localOnly,
    }),
  ],
};
