import type { Message } from "../dissect/message.js";
import type { FrameOrder } from "../network/frame-order.js";
import type { NameLookup } from "../schema/language/field-tree.js";
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

/** Where a message stands: in an order that several tallies have in common, and its number. */
export interface MessageMoment {
  readonly frameOrder: FrameOrder;
  readonly number: number;
}

/** What was counted of some players or ages, and their last messages. */
export type PartySums = readonly {
  readonly key: string;
  readonly idTitle: string;
  readonly last: MessageMoment;
  readonly c2s: Readonly<Count>;
  readonly s2c: Readonly<Count>;
}[];

/** Follows what is counted of players or ages, whose names somebody else knows. */
export interface PartyWatch {
  /** Where the current message stands. */
  frameOrder(): FrameOrder;
  /** A message of a new one comes. */
  newParty(key: string, party: Referent, protocol: string, scope: string): void;
}

/** Sums up the messages of each player, or of each age. */
export class Parties {
  readonly #sums: BoundedMap<PartySum>;
  /** Those of the latest messages, by conversation: found without building a key. */
  readonly #recent: (Recent | undefined)[] = Array<undefined>(RECENT).fill(undefined);

  /** @param most how many are counted individually */
  constructor(
    most: number,
    readonly watch: PartyWatch | undefined,
  ) {
    this.#sums = new BoundedMap(
      () => ({
        idTitle: "",
        name: "",
        names: undefined,
        revision: undefined,
        last: { frameOrder: 0, number: 0 },
        c2s: noCount(),
        s2c: noCount(),
        isKnown: false,
      }),
      most,
    );
  }

  get isFull(): boolean {
    return this.#sums.isFull;
  }

  get counts(): PartyCount[] {
    return this.#sums.entries().map(([key, sum]) => {
      const [dissector = "", kind = "", scope = "", id = ""] = partsOf(key, 4);
      // A sum over many is not called like the one that was counted last.
      const { idTitle, name, c2s, s2c } = sum;
      const own = key === OTHERS ? { idTitle: "", name: "" } : { idTitle, name };
      return { dissector, kind, id, scope, ...own, c2s, s2c };
    });
  }

  /** Counts a message of one of them. */
  take(party: Referent, { number, protocol, direction, length, nodes, conversation }: Message): void {
    const names = nodes?.names;
    const sum = this.#sumOf(party, protocol, names?.scope ?? "", conversation.stream % RECENT);
    addTo(direction === "c2s" ? sum.c2s : sum.s2c, length);
    if (this.watch !== undefined) {
      sum.last = { frameOrder: this.watch.frameOrder(), number };
      return;
    }
    if (names === undefined) return;
    const { revision } = names;
    if (names === sum.names && revision !== undefined && revision === sum.revision) return;
    sum.names = names;
    sum.revision = revision;
    // The latest name is the most useful one.
    sum.name = names.get(party.kind, party.id) ?? sum.name;
  }

  /** Makes an entry for one whose messages will be added. */
  newParty(key: string): void {
    this.#sums.of(key);
  }

  /** Takes out what was counted since the last time. */
  takeSums(): PartySums {
    const sums: PartySums[number][] = [];
    for (const [key, { idTitle, last, c2s, s2c }] of this.#sums.entries()) {
      if (c2s.count + s2c.count === 0) continue;
      sums.push({ key, idTitle, last, c2s: { ...c2s }, s2c: { ...s2c } });
      for (const sum of [c2s, s2c]) Object.assign(sum, noCount());
    }
    return sums;
  }

  addSums(sums: PartySums): void {
    for (const { key, idTitle, c2s, s2c } of sums) {
      const sum = this.#sums.of(key);
      sum.idTitle = idTitle;
      for (const [own, added] of [
        [sum.c2s, c2s],
        [sum.s2c, s2c],
      ] as const) {
        own.count += added.count;
        own.bytes += added.bytes;
      }
    }
  }

  nameAll(nameOf: (key: string) => string | undefined): void {
    for (const [key, sum] of this.#sums.entries()) sum.name = nameOf(key) ?? sum.name;
  }

  /** @param index of its conversation, in `#recent` */
  #sumOf(party: Referent, protocol: string, scope: string, index: number): PartySum {
    const { kind, id } = party;
    const recent = this.#recent[index];
    if (recent?.id === id && recent.kind === kind && recent.scope === scope && recent.protocol === protocol) {
      return recent.sum;
    }
    // Protocols are named after their dissectors: "moul.auth".
    const [dissector = ""] = protocol.split(".", 1);
    const sum = this.#sums.of(keyOf(dissector, kind, scope, id));
    sum.idTitle = party.idTitle ?? sum.idTitle;
    if (!sum.isKnown) this.watch?.newParty(keyOf(dissector, kind, scope, id), party, protocol, scope);
    sum.isKnown = true;
    this.#recent[index] = { kind, id, scope, protocol, sum };
    return sum;
  }
}

/** How many conversations have places of their own among the recent ones. */
const RECENT = 64;

/** Whose a message was, and its sum. */
interface Recent {
  readonly kind: string;
  readonly id: string;
  readonly scope: string;
  readonly protocol: string;
  readonly sum: PartySum;
}

/** The sums of one player or age. */
interface PartySum {
  idTitle: string;
  name: string;
  /** Where its name was last looked up, and the revision of these names. */
  names: NameLookup | undefined;
  revision: number | undefined;
  /** Its last message, for the watch. */
  last: MessageMoment;
  /** True if the watch knows it. */
  isKnown: boolean;
  readonly c2s: Count;
  readonly s2c: Count;
}
