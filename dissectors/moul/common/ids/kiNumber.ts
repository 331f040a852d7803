import { type NameBinding, reference } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { kiNumbers } from "../../sensitiveKinds.js";

/** Number of a player, which is that of the player's vault node; 0 is nobody. Source: vault "Player". */
export const kiNumber = reference(u32, "player").doc("KI number.").sensitive(kiNumbers);

/** Declares that a struct gives a player's name: the fields with the KI number and the name. */
export function namesPlayer(id: string, name: string): NameBinding {
  return { kind: "player", id, name, except: 0 };
}
