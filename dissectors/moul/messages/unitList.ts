import { array, type Condition, flag, masked, notEquals, rest, type Type, within } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/little-endian";

/**
 * Lists of entries made of UTF-16 units, whose number the message gives: one zero ends the list. A list without entries
 * consists only of its end, which is then two zeroes or, from DIRTSAND, one; the shortest entry has five units.
 *
 * Source: auth_server "FileListReply"; plNetGameLib/plNglAuth.cpp, plNglFile.cpp; DIRTSAND AuthManifest.cpp.
 */
const hasEntries = (unitCount: string): Condition => flag(unitCount, ~3);

/** The entries of a list. */
export function listEntries<V>(unitCount: string, entry: Type<V>): Type<V[], true> {
  return within({ field: unitCount, times: 2, plus: -2 }, array(entry, rest)).when(hasEntries(unitCount));
}

/** The zero that ends a list with entries. */
export function listEnd(unitCount: string): Type<number, true> {
  return u16.when(hasEntries(unitCount));
}

/** The end of a list without entries. */
export function emptyList(unitCount: string): Type<number[], true> {
  return array(u16, unitCount).when(masked(unitCount, ~3, 0), notEquals(unitCount, 0));
}
