import { Flag } from "../../support/packets.js";
import type { Random } from "../../support/random.js";
import type { Part } from "./script.js";
import { changed, fieldsOf } from "./tcp-fields.js";

/** A number that no receiver takes for one of its connection. */
const FAR = 2 ** 26;

const ALL_FLAGS = [Flag.fin, Flag.syn, Flag.rst, Flag.push, Flag.ack, 0x20];

/** Damages the headers of real segments, and loses some; what is damaged says so. */
export function damaged(parts: readonly Part[], random: Random): Part[] {
  const all = [...parts];
  for (let times = 1 + random.below(3); times > 0 && all.length > 0; times--) {
    const at = random.below(random.chance(3) ? 7 : all.length);
    const part = all[at];
    if (part === undefined) continue;
    if (random.chance(3)) all.splice(at, 1 + random.below(3));
    else if (part.what === "") all[at] = withDamage(part, random);
  }
  return all;
}

/**
 * A segment with other flags, or with a number that has nothing to do with its connection. An acknowledgment may also be
 * wrong by a little, except that of a SYN; a number of the segment's own would then bring wrong bytes, as its receiver
 * would see, too.
 */
function withDamage(part: Part, random: Random): Part {
  const { flags, sequence, acknowledgment } = fieldsOf(part.ip);
  const flag = random.pick(ALL_FLAGS);
  const far = random.pick([-1, 1]) * (FAR + random.below(2 ** 29));
  const near = random.pick([-1, 1]) * (1 + random.below(random.pick([10, 3000, 100_000])));
  switch (random.below((flags & Flag.syn) === 0 ? 4 : 3)) {
    case 0:
      return { ...part, ip: changed(part.ip, { flags: flags ^ flag }), what: "damaged flags" };
    case 1:
      return { ...part, ip: changed(part.ip, { sequence: sequence + far }), what: "damaged number" };
    case 2:
      return {
        ...part,
        ip: changed(part.ip, { acknowledgment: acknowledgment + far }),
        what: "damaged acknowledgment",
      };
    default:
      return {
        ...part,
        ip: changed(part.ip, { acknowledgment: acknowledgment + near }),
        what: "acknowledgment damaged by a little",
      };
  }
}
