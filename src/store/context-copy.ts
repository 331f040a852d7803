import type { MessageContext, Referent } from "../schema/language/message-context.js";

/** Copies what this program knows of a message's context: a dissector may change it for the next message. */
export function copied(context: MessageContext): MessageContext {
  const { player, place, answers, answeredBy, asks, forgets, error, trouble, version } = context;
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
    answeredBy: answeredBy && {
      number: answeredBy.number,
      name: answeredBy.name,
      milliseconds: answeredBy.milliseconds,
    },
    asks,
    forgets: forgets && { name: forgets.name, number: forgets.number },
    error,
    ...(trouble && { trouble }),
    ...(version && { version: { of: version.of, value: version.value } }),
  };
}

/**
 * True if a copy is still what the context is. That of an answer, of a request with one, and one that forgets a request
 * count as different.
 */
export function isCopyOf(
  copy: MessageContext,
  { player, place, answers, answeredBy, asks, forgets, error, trouble, version }: MessageContext,
): boolean {
  return (
    answers === undefined &&
    answeredBy === undefined &&
    forgets === undefined &&
    copy.answers === undefined &&
    copy.answeredBy === undefined &&
    copy.forgets === undefined &&
    copy.asks === asks &&
    copy.error === error &&
    copy.trouble === trouble &&
    copy.version?.of === version?.of &&
    copy.version?.value === version?.value &&
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
