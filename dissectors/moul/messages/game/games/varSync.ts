import { struct } from "moul-dissect/schema";
import { f64, u32 } from "moul-dissect/schema/little-endian";
import { type GameKind, gameText } from "./gameKind.js";

const varId = u32.inSummary();
const varName = gameText.inSummary();

/** Variables that clients share, as in Jalak. Source: pnGameMgr/pnGmVarSync.h. */
export const VarSync: GameKind = {
  name: "VarSync",
  c2s: [
    struct("Cli2Srv_VarSync_SetStringVar", { varId, varValue: gameText.sensitive("text") }),
    struct("Cli2Srv_VarSync_SetNumericVar", { varId, varValue: f64 }),
    struct("Cli2Srv_VarSync_RequestAllVars", {}),
    struct("Cli2Srv_VarSync_CreateStringVar", { varName, varValue: gameText.sensitive("text") }),
    struct("Cli2Srv_VarSync_CreateNumericVar", { varName, varValue: f64 }),
  ],
  s2c: [
    struct("Srv2Cli_VarSync_StringVarChanged", { varId, varValue: gameText.sensitive("text") }),
    struct("Srv2Cli_VarSync_NumericVarChanged", { varId, varValue: f64 }),
    struct("Srv2Cli_VarSync_AllVarsSent", {}),
    struct("Srv2Cli_VarSync_StringVarCreated", { varName, varId, varValue: gameText.sensitive("text") }),
    struct("Srv2Cli_VarSync_NumericVarCreated", { varName, varId, varValue: f64 }),
  ],
};
