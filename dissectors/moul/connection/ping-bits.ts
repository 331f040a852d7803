import type { Window } from "moul-dissect/dissector";
import type { StructType } from "moul-dissect/schema";

/** Bits in favour of a ping: its type is 0, and zeros are common. */
const PING = 3;
/**
 * The same for one whose time has a lowest byte of zero: in the zeros before a ping, others make sense that begin too
 * early, with bytes of its time in the upper bytes of theirs.
 */
const EARLY = 0;

/** Returns how likely it is, in bits, that a ping begins at the start of a window, and not some bytes later. */
export function pingBits({ struct }: StructType<unknown>, { view, start, end }: Window): number {
  let at = start;
  for (const { name, minimumWidth } of struct.fields) {
    if (at >= end) break;
    if (name === "pingTime") return view.getUint8(at) === 0 ? EARLY : PING;
    at += minimumWidth;
  }
  return PING;
}
