import type { Message } from "../dissect/message.js";
import type { Referent } from "../schema/language/message-context.js";
import { BoundedMap, OTHERS } from "./bounded-map.js";
import { addTo, type Count, noCount } from "./count.js";
import { keyOf, partsOf } from "./keys.js";

/** The messages from and to a player, or in an instance of an age. */
export interface PartyCount {
  /** The dissector that knows it, and what it is there: two of different kinds may have the same `id`. */
  readonly dissector: string;
  readonly kind: string;
  readonly id: string;
  /** The scope within which the id is unique, such as a server; empty if ids are unique for the whole dissector. */
  readonly scope: string;
  /** What such an id is called; empty if the dissector does not say, and for the sum of many. */
  readonly idTitle: string;
  /** Empty if no message has given it, and for the sum of many. */
  readonly name: string;
  readonly c2s: Count;
  readonly s2c: Count;
}

/** Sums up the messages of each player, or of each age. */
export class Parties {
  readonly #sums: BoundedMap<PartySum>;
  /** Dissectors tend to use one object for many messages: its sum is found without building a key. */
  readonly #recent = new WeakMap<Referent, Recent>();

  /** @param most how many are counted individually */
  constructor(most: number) {
    this.#sums = new BoundedMap(() => ({ idTitle: "", name: "", c2s: noCount(), s2c: noCount() }), most);
  }

  get counts(): PartyCount[] {
    return this.#sums.entries().map(([key, sum]) => {
      const [dissector = "", kind = "", scope = "", id = ""] = partsOf(key, 4);
      // A sum over many is not called like the one that was counted last.
      return { dissector, kind, id, scope, ...sum, ...(key === OTHERS && { idTitle: "", name: "" }) };
    });
  }

  /** Counts a message of one of them. */
  take(party: Referent, { protocol, direction, length, nodes }: Message): void {
    const sum = this.#sumOf(party, protocol, nodes?.names?.scope ?? "");
    addTo(sum[direction], length);
    // The latest name is the most useful one.
    sum.name = nodes?.names?.get(party.kind, party.id) ?? sum.name;
  }

  #sumOf(party: Referent, protocol: string, scope: string): PartySum {
    const { kind, id } = party;
    const recent = this.#recent.get(party);
    if (recent?.id === id && recent.kind === kind && recent.scope === scope) return recent.sum;
    // Protocols are named after their dissectors: "moul.auth".
    const [dissector = ""] = protocol.split(".", 1);
    const sum = this.#sums.of(keyOf(dissector, kind, scope, id));
    sum.idTitle = party.idTitle ?? sum.idTitle;
    this.#recent.set(party, { kind, id, scope, sum });
    return sum;
  }
}

/** The sum of an object as it was when it was last used. */
interface Recent {
  readonly kind: string;
  readonly id: string;
  readonly scope: string;
  readonly sum: PartySum;
}

/** The sums of one player or age. */
interface PartySum {
  idTitle: string;
  name: string;
  readonly c2s: Count;
  readonly s2c: Count;
}
