import type { Message } from "../dissect/message.js";
import type { Referent } from "../schema/circumstances.js";
import { BoundedMap } from "./bounded-map.js";
import { addTo, type Count, noCount } from "./count.js";
import { keyOf, partsOf } from "./keys.js";

/** The messages from and to a player, or in an instance of an age. */
export interface PartyCount {
  /** The dissector that knows it, and what it is there: two of different kinds may have the same `id`. */
  readonly dissector: string;
  readonly kind: string;
  readonly id: string;
  /** What such an id is called; empty if the dissector does not say. */
  readonly idTitle: string;
  /** Empty if no message has given it. */
  readonly name: string;
  readonly c2s: Count;
  readonly s2c: Count;
}

/** Sums up the messages of each player, or of each age. */
export class Parties {
  readonly #sums: BoundedMap<PartySum>;
  /** Dissectors tend to use one object for many messages: its sum is found without building a key. */
  readonly #recent = new WeakMap<Referent, { readonly kind: string; readonly id: string; readonly sum: PartySum }>();

  /** @param most how many are counted individually */
  constructor(most: number) {
    this.#sums = new BoundedMap(() => ({ idTitle: "", name: "", c2s: noCount(), s2c: noCount() }), most);
  }

  get counts(): PartyCount[] {
    return this.#sums.entries().map(([key, sum]) => {
      const [dissector = "", kind = "", id = ""] = partsOf(key, 3);
      return { dissector, kind, id, ...sum };
    });
  }

  /** Counts a message of one of them. */
  take(party: Referent, { protocol, direction, length, nodes }: Message): void {
    const sum = this.#sumOf(party, protocol);
    addTo(sum[direction], length);
    // The latest name is the most useful one.
    sum.name = nodes?.names?.get(party.kind, party.id) ?? sum.name;
  }

  #sumOf(party: Referent, protocol: string): PartySum {
    const { kind, id } = party;
    const recent = this.#recent.get(party);
    if (recent?.id === id && recent.kind === kind) return recent.sum;
    // Protocols are named after their dissectors: "moul.auth".
    const [dissector = ""] = protocol.split(".", 1);
    const sum = this.#sums.of(keyOf(dissector, kind, id));
    sum.idTitle = party.idTitle ?? sum.idTitle;
    this.#recent.set(party, { kind, id, sum });
    return sum;
  }
}

/** The sums of one player or age. */
interface PartySum {
  idTitle: string;
  name: string;
  readonly c2s: Count;
  readonly s2c: Count;
}
