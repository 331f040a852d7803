import { bool, enumeration, struct, u8 } from "moul-dissect/schema";
import { f64, u32 } from "moul-dissect/schema/little-endian";
import { type GameKind, gameShortText, gameText } from "./gameKind.js";

/** Source: pnGameMgr/pnGmMarkerConst.h. */
const EMarkerGameType = {
  kMarkerGameQuest: 0,
  kMarkerGameCGZ: 1,
  kMarkerGameCapture: 2,
  kMarkerGameCaptureAndHold: 3,
};

const gameType = enumeration(u8, EMarkerGameType);
const markerId = u32.inSummary();
const templateId = gameShortText.standsFor("markerGame");
const place = { x: f64, y: f64, z: f64 };

/** Marker missions. Source: pnGameMgr/pnGmMarker.h; MOSS: GameState.cc, MarkerGameMgr. */
export const Marker: GameKind = {
  name: "Marker",
  c2s: [
    struct("Cli2Srv_Marker_StartGame", {}),
    struct("Cli2Srv_Marker_PauseGame", {}),
    struct("Cli2Srv_Marker_ResetGame", {}),
    struct("Cli2Srv_Marker_ChangeGameName", { gameName: gameText.sensitive("text").inSummary() }),
    struct("Cli2Srv_Marker_ChangeTimeLimit", { timeLimit: u32 }),
    struct("Cli2Srv_Marker_DeleteGame", {}),
    struct("Cli2Srv_Marker_AddMarker", { ...place, name: gameText.sensitive("text").inSummary(), age: gameShortText }),
    struct("Cli2Srv_Marker_DeleteMarker", { markerId }),
    struct("Cli2Srv_Marker_ChangeMarkerName", { markerId, markerName: gameText.sensitive("text").inSummary() }),
    struct("Cli2Srv_Marker_CaptureMarker", { markerId }),
  ],
  s2c: [
    struct("Srv2Cli_Marker_TemplateCreated", {
      templateId: templateId.doc("UUID of the game, which its vault node has, too."),
    }),
    struct("Srv2Cli_Marker_TeamAssigned", { teamNumber: u8.doc("1 or 2.") }),
    struct("Srv2Cli_Marker_GameType", { gameType }),
    struct("Srv2Cli_Marker_GameStarted", {}),
    struct("Srv2Cli_Marker_GamePaused", {
      timeLeft: u32.doc("0 in a quest, which has no time limit; MOSS: the milliseconds played so far.").varies(),
    }),
    struct("Srv2Cli_Marker_GameReset", {}),
    struct("Srv2Cli_Marker_GameOver", {}),
    struct("Srv2Cli_Marker_GameNameChanged", { newName: gameText.sensitive("text").inSummary() }),
    struct("Srv2Cli_Marker_TimeLimitChanged", { newTimeLimit: u32 }),
    struct("Srv2Cli_Marker_GameDeleted", { failed: bool.doc("MOSS: true if the game was deleted, false if not.") }),
    struct("Srv2Cli_Marker_MarkerAdded", {
      ...place,
      markerId,
      name: gameText.sensitive("text").inSummary(),
      age: gameShortText,
    }),
    struct("Srv2Cli_Marker_MarkerDeleted", { markerId }),
    struct("Srv2Cli_Marker_MarkerNameChanged", { markerId, newName: gameText.sensitive("text").inSummary() }),
    struct("Srv2Cli_Marker_MarkerCaptured", { markerId, team: u8.doc("0: none, as in a quest.") }),
  ],
  createParam: struct("Marker_CreateParam", {
    gameType,
    gameName: gameText.sensitive("text").inSummary(),
    timeLimit: u32,
    templateId: templateId.doc("UUID of a quest; empty for a new game."),
  }),
};
