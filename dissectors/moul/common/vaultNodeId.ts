import { reference } from "../../../src/schema/index.js";
import { u32 } from "../../../src/schema/little-endian.js";

/** Number of a vault node; that of a player's node is the KI number. Source: vault "Vault node structure". */
export const vaultNodeId = reference(u32, "vaultNode", "player").sensitive("ki-number");
