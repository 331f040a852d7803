import { reference } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { kiNumbers } from "../../sensitiveKinds.js";

/** Number of a vault node; that of a player's node is the KI number. Source: vault "Vault node structure". */
export const vaultNodeId = reference(u32, "vaultNode", "player").sensitive(kiNumbers);
