import { PacketPlaces } from "../order/packet-places.js";
import { BoundaryTrial, CERTAIN, NOTHING, type Trial, type Wanted } from "./boundary-trial.js";

/**
 * Evidence, in bits, that is enough if no more bytes come: in excess of what chance makes likely, given the number of
 * places tried before.
 */
const ENOUGH = 14;
/** The same for messages that end exactly where another one is known to begin, which is evidence, too. */
const ENOUGH_BEFORE = 4;
/** The least number of bytes that have to be available before a search that has found nothing looks again. */
const LEAST_SEARCHED = 64;

/** The result of a search. */
type Search =
  /** A message begins after `skip` bytes, as `messages` in a row show. */
  | { readonly found: true; readonly skip: number; readonly messages: number }
  /** None is known yet; looking again takes `needed` bytes, and no message begins in the first `skip` bytes. */
  | { readonly found: false; readonly skip: number; readonly needed: number };

/**
 * The evidence, in bits, that messages from an earlier place on end where a message is known to begin; 0 if none end
 * there. The evidence of those that follow it
 * says nothing of those before: the last bytes of another message may look like a short one.
 *
 * @param rank number of places tried before this one
 */
function leadsTo(goal: number, { passes }: Trial, rank: number): number {
  const pass = passes.find(({ at }) => at === goal);
  return pass === undefined ? 0 : pass.bits - Math.log2(rank + 1);
}

/**
 * Finds the next message in a stream whose beginning, or the part before the window, was lost: a place at which several
 * messages in a row make sense. The starts of packets are tried first.
 */
export function findBoundary(wanted: Wanted): Search {
  const { window, decoder, final, isAnywhere } = wanted;
  const { searchBytes: mostBytes, searchWork } = decoder.limits;
  const { start, end } = window;
  const length = end - start;
  const places = new PacketPlaces(window.packetStarts(), length, isAnywhere);
  let work = length * searchWork;
  let best = NOTHING;
  const tried: Trial[] = [];
  for (const [index, at] of places.likely.entries()) {
    if (work <= 0) break;
    const trial = new BoundaryTrial(at, wanted, places).result(index);
    work -= trial.work;
    tried.push(trial);
    if (trial.surplus > best.surplus) best = trial;
    if (trial.bits >= CERTAIN) break;
  }
  const isEnough = ({ bits, surplus }: Trial) => bits >= CERTAIN || (final && surplus >= ENOUGH);
  // If a boundary is known, an earlier one counts if its messages end exactly there: first of all where packets begin.
  let found = isEnough(best) ? best : undefined;
  if (found !== undefined)
    found = tried.find((trial, rank) => leadsTo(best.start, trial, rank) >= ENOUGH_BEFORE) ?? found;
  const goal = found?.start ?? end;
  let most = ENOUGH_BEFORE;
  for (let at = start; isAnywhere && at < goal && work > 0; at++) {
    if (places.isLikely(at)) continue;
    const trial = new BoundaryTrial(at, wanted, places).result(at - start);
    work -= trial.work;
    if (found !== undefined) {
      const bits = leadsTo(goal, trial, at - start);
      if (bits < most) continue;
      most = bits;
      found = trial;
      continue;
    }
    if (trial.surplus > best.surplus) best = trial;
    if (trial.bits >= CERTAIN) break;
  }
  if (found === undefined && isEnough(best)) found = best;
  if (found !== undefined) return { found: true, skip: found.start - start, messages: found.messages };
  if (final) return { found: false, skip: length, needed: 1 };
  if (length >= mostBytes) return { found: false, skip: length - Math.floor(mostBytes / 2), needed: mostBytes };
  // Looking again at every new byte would cost the square of the length.
  return { found: false, skip: 0, needed: Math.max(LEAST_SEARCHED, length * 2) };
}
