import {
  bytes,
  enumeration,
  type NameBinding,
  reference,
  remarked,
  rest,
  type Type,
  terminated,
  text,
  u8,
  withTwin,
} from "moul-dissect/schema";
import { i16, u16 } from "moul-dissect/schema/big-endian";
import { TeamColor } from "../enums.js";
import { slotAndSalt } from "../fields.js";

/** Values of the modern protocol. Source: facts, section 10. */

/** A player, or one of the special ids below. */
export const playerId = reference(u8, "player");

/**
 * Player ids that do not stand for a single player. Source: facts, section 10, "player id"; truth of the capture
 * (owners); include/Address.h of 2.4 (teams).
 */
export const specialPlayers: ReadonlyMap<number, string> = new Map([
  [244, "hunters"],
  [245, "rabbits"],
  [246, "observers"],
  [247, "purple team"],
  [248, "blue team"],
  [249, "green team"],
  [250, "red team"],
  [251, "rogues"],
  [252, "administrators"],
  [253, "server"],
  [254, "all players"],
  [255, "nobody"],
]);

/** What a struct declares if it gives the call sign of a player. */
export const namesPlayer: NameBinding = { kind: "player", id: "player", name: "callsign" };

/** The colours of the 1.7 protocol, and newer ones. Source: facts, section 5; include/global.h of 2.4 (newer ones). */
export const team = enumeration(u16, {
  ...TeamColor,
  ObserverTeam: 5,
  RabbitTeam: 6,
  HunterTeam: 7,
  AutomaticTeam: 0xfffe,
});

/** Abbreviation of a flag; empty: none. Source: facts, section 10, "flags". */
export const flagAbbreviation = text(2);

/** The number of a shot, as in the 1.7 protocol. */
export const shotId = remarked(i16, slotAndSalt);

/** A number of 16 bits that stands for a multiple of `unit`. */
export function scaled(unit: number): Type<number> {
  const describe = (raw: number) => String(Number((raw * unit).toPrecision(6)));
  return remarked(
    i16,
    withTwin(describe, "scaled", () => unit),
  );
}

/** The last text of a message: it ends with the first zero, or with the message. */
export const lastText = terminated(text, { zeroMayBeMissing: true, kind: "text" });

/** What follows it: 2.4.0 to 2.4.2 write another zero after the longest texts. */
export const afterText = bytes(rest).sensitive("unknown");
