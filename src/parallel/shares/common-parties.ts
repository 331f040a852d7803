import type { NamedThing } from "../../session/name-book.js";
import type { PartyList, PartySums, TallySums } from "../../stats/index.js";
import type { CommonNames, Moment } from "./common-names.js";

/** What is known of a player or an age: who it is, and its last message. */
interface Party {
  readonly dissector: string;
  readonly thing: NamedThing;
  last: Moment;
}

const BEFORE: Moment = { frameOrder: -1, number: 0 };

/** The players and ages in the conversations of all threads, who are called as they were at their last messages. */
export class CommonParties {
  readonly #parties = { players: new Map<string, Party>(), ages: new Map<string, Party>() };

  constructor(readonly names: CommonNames) {}

  /** A message of a new one comes, in the order of all messages. */
  came(list: PartyList, key: string, dissector: string, scope: string, { kind, id }: NamedThing, moment: Moment): void {
    const thing = { kind, id: scope === "" ? id : `${scope} ${id}` };
    this.names.of(dissector).follow(thing, moment);
    if (!this.#parties[list].has(key)) this.#parties[list].set(key, { dissector, thing, last: BEFORE });
  }

  /** Takes note of the last messages in a trace. */
  seen({ players, ages }: TallySums): void {
    this.#seen("players", players);
    this.#seen("ages", ages);
  }

  nameOf(list: PartyList, key: string): string | undefined {
    const party = this.#parties[list].get(key);
    return party && this.names.of(party.dissector).nameAt(party.thing, party.last);
  }

  #seen(list: PartyList, sums: PartySums): void {
    for (const { key, last } of sums) {
      const party = this.#parties[list].get(key);
      const isLater = party !== undefined && last.frameOrder >= party.last.frameOrder;
      if (isLater) party.last = last;
    }
  }
}
