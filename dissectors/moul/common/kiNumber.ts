import { type Introduction, reference } from "../../../src/schema/index.js";
import { u32 } from "../../../src/schema/little-endian.js";

/** Number of a player: that of the player's node in the vault; 0 is nobody. Source: vault "Player". */
export const kiNumber = reference(u32, "player").doc("KI number.").sensitive("ki-number");

/** What a struct declares that tells a player's name: the fields with KI number and name. */
export function namesPlayer(id: string, name: string): Introduction {
  return { kind: "player", id, name, except: 0 };
}
