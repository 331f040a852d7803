import type { Circumstances, Referent } from "../../schema/tree/circumstances.js";

/** Copies what this program knows of circumstances: a dissector may change them for its next message. */
export function copied({ player, place, answers, asks, forgets, error }: Circumstances): Circumstances {
  return {
    player: player && referent(player),
    place: place && referent(place),
    answers: answers && {
      number: answers.number,
      name: answers.name,
      milliseconds: answers.milliseconds,
      isFirst: answers.isFirst,
      isPing: answers.isPing,
    },
    asks,
    forgets: forgets && { name: forgets.name, number: forgets.number },
    error,
  };
}

/**
 * True if a copy is still what the circumstances are. Those of answers, and those that forget a request, count as
 * different.
 */
export function isCopyOf(
  copy: Circumstances,
  { player, place, answers, asks, forgets, error }: Circumstances,
): boolean {
  return (
    answers === undefined &&
    forgets === undefined &&
    copy.answers === undefined &&
    copy.forgets === undefined &&
    copy.asks === asks &&
    copy.error === error &&
    isSame(copy.player, player) &&
    isSame(copy.place, place)
  );
}

function referent({ kind, id, idTitle }: Referent): Referent {
  return { kind, id, ...(idTitle !== undefined && { idTitle }) };
}

function isSame(one: Referent | undefined, other: Referent | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.id === other.id && one.kind === other.kind && one.idTitle === other.idTitle;
}
