import { bool, bytes, struct, u8 } from "moul-dissect/schema";
import type { GameKind } from "./gameKind.js";

/** The cloths of the Watcher's Sanctuary. Source: pnGameMgr/pnGmBlueSpiral.h. */
export const BlueSpiral: GameKind = {
  name: "BlueSpiral",
  c2s: [
    struct("Cli2Srv_BlueSpiral_StartGame", {}),
    struct("Cli2Srv_BlueSpiral_HitCloth", { clothNum: u8.doc("0 to 6.").inSummary() }),
  ],
  s2c: [
    struct("Srv2Cli_BlueSpiral_ClothOrder", {
      order: bytes(7).doc("The cloths in the order in which to hit them, which is random.").varies(),
    }),
    struct("Srv2Cli_BlueSpiral_SuccessfulHit", {}),
    struct("Srv2Cli_BlueSpiral_GameWon", {}),
    struct("Srv2Cli_BlueSpiral_GameOver", {}),
    struct("Srv2Cli_BlueSpiral_GameStarted", { startSpin: bool }),
  ],
};
