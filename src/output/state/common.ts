import type { Party } from "../../dissector/state-event.js";
import type { Moment } from "../../state/moment.js";
import { absoluteTime } from "../writers/time.js";

/** What JSON says of a moment. */
export function momentJson({ number, origin, stream }: Moment) {
  return { number, time: absoluteTime(origin), stream };
}

export function partyJson(party: Party | undefined) {
  return party === undefined ? null : { kind: party.kind, id: party.id, name: party.name ?? null };
}

/** What people call somebody or something: the name, or else the id. */
export function partyText({ id, name }: Party): string {
  return name === undefined || name === "" ? id : name;
}

/** An object that may be one of several of that name. */
interface NamedObject {
  readonly object: string;
  readonly owner?: Party | undefined;
  readonly place?: Party | undefined;
}

/** The name of an object, whose it is, and where. */
export function objectText({ object, owner, place }: NamedObject): string {
  const whose = owner === undefined ? "" : ` of ${partyText(owner)}`;
  return place === undefined ? `${object}${whose}` : `${object}${whose} in ${fullText(place)}`;
}

/** A name with the id that it stands for, where that is another. */
export function fullText(party: Party): string {
  const name = partyText(party);
  return name === party.id ? name : `${name} (${party.id})`;
}
