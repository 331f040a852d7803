import { array, bool, enumeration, struct, u8 } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { type GameKind, gameText } from "./gameKind.js";

/** Source: pnGameMgr/pnGmHeekConst.h. */
const EHeekChoice = { kHeekRock: 0, kHeekPaper: 1, kHeekScissors: 2 };
const EHeekSeqFinished = { kHeekCountdownSeq: 0, kHeekChoiceAnimSeq: 1, kHeekGameWinAnimSeq: 2 };
const EHeekLightState = { kHeekLightOn: 0, kHeekLightOff: 1, kHeekLightFlash: 2 };
const EHeekCountdownState = { kHeekCountdownStart: 0, kHeekCountdownStop: 1, kHeekCountdownIdle: 2 };

const choice = enumeration(u8, EHeekChoice).inSummary();
const position = u8.doc("Place at the table, 0 to 4.");

/** Ahyoheek. Source: pnGameMgr/pnGmHeek.h. */
export const Heek: GameKind = {
  name: "Heek",
  c2s: [
    struct("Cli2Srv_Heek_PlayGame", { position, points: u32, name: gameText.sensitive("player-name").inSummary() }),
    struct("Cli2Srv_Heek_LeaveGame", {}),
    struct("Cli2Srv_Heek_Choose", { choice }),
    struct("Cli2Srv_Heek_SeqFinished", { seqFinished: enumeration(u8, EHeekSeqFinished) }),
  ],
  s2c: [
    struct("Srv2Cli_Heek_PlayGame", { isPlaying: bool, isSinglePlayer: bool, enableButtons: bool }),
    struct("Srv2Cli_Heek_Goodbye", {}),
    struct("Srv2Cli_Heek_Welcome", { points: u32, rank: u32, name: gameText.sensitive("player-name").inSummary() }),
    struct("Srv2Cli_Heek_Drop", { position }),
    struct("Srv2Cli_Heek_Setup", { position, buttonState: bool, lightOn: array(bool, 6) }),
    struct("Srv2Cli_Heek_LightState", { lightNum: u8, state: enumeration(u8, EHeekLightState) }),
    struct("Srv2Cli_Heek_InterfaceState", { buttonsEnabled: bool }),
    struct("Srv2Cli_Heek_CountdownState", { state: enumeration(u8, EHeekCountdownState) }),
    struct("Srv2Cli_Heek_WinLose", { win: bool, choice }),
    struct("Srv2Cli_Heek_GameWin", { choice }),
    struct("Srv2Cli_Heek_PointUpdate", { displayUpdate: bool, points: u32, rank: u32 }),
  ],
};
