import type { Message } from "../dissect/message.js";
import { isAssembled } from "../dissect/message.js";
import type { Limits } from "../limits.js";
import type { Transport } from "../network/conversation.js";
import type { Field } from "../schema/language/field.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import { PerField } from "../schema/tree/per-field.js";
import { BoundedMap } from "./bounded-map.js";
import { addTo, type Count, noCount } from "./count.js";
import { partsOf } from "./keys.js";
import { Parties, type PartyCount, type PartySums, type PartyWatch } from "./parties.js";
import { protocolKeys } from "./protocol-key.js";
import { RecentPairs } from "./recent-pairs.js";
import { type Sums, sumsIn } from "./sums.js";

/** What can be wrong, in the order in which it is reported. */
export const troubles = ["gap", "skipped", "encrypted", "truncated", "malformed", "unknown", "undissected"] as const;
export type Trouble = (typeof troubles)[number];

/** Messages of one type. */
export interface TypeCount extends Count {
  readonly protocol: string;
  readonly name: string;
}

/** Players, or ages. */
export type PartyList = "players" | "ages";

/** Follows a tally whose sums are added to those of another one, which has its entries in the order of all messages. */
export interface TallyWatch {
  /** A message of a new type comes, by its key. */
  newType(key: string): void;
  /** The same for a player or an age. */
  party(list: PartyList): PartyWatch;
}

/** What a tally has counted since the last time. */
export interface TallySums {
  readonly messages: Count;
  readonly protocols: Sums;
  readonly types: Sums;
  readonly classes: Sums;
  readonly troubles: Sums;
  readonly players: PartySums;
  readonly ages: PartySums;
}

/** What can be added up of messages in any order. */
export class Tally {
  readonly #types: BoundedMap<Count>;
  readonly #typesOf: RecentPairs<Count>;
  readonly #classes: BoundedMap<Count>;
  /** Those of fields whose class is declared: found without a look-up by name. */
  readonly #classesOf: PerField<Count>;
  readonly #protocols: BoundedMap<Count>;
  /** Protocols used before: found without building a key. */
  readonly #recent = { tcp: new Map<string, Count>(), udp: new Map<string, Count>() };
  readonly #players: Parties;
  readonly #ages: Parties;
  readonly #troubles = new Map<Trouble, Count>(troubles.map((trouble) => [trouble, noCount()]));
  /** Messages of all types. */
  readonly messages = noCount();

  /** @param watch if the sums are added to another tally */
  constructor({ countedKeys }: Pick<Limits, "countedKeys">, watch?: TallyWatch) {
    const counts = () => new BoundedMap(noCount, countedKeys);
    [this.#classes, this.#protocols] = [counts(), counts()];
    this.#classesOf = new PerField(({ struct }) => this.#classes.of(struct?.name ?? ""));
    const newType = (key: string) => {
      watch?.newType(key);
      return noCount();
    };
    this.#types = new BoundedMap(newType, countedKeys);
    this.#typesOf = new RecentPairs(this.#types);
    this.#players = new Parties(countedKeys, watch?.party("players"));
    this.#ages = new Parties(countedKeys, watch?.party("ages"));
  }

  /** Keys as `protocolKeys` makes them. */
  get protocols(): ReadonlyMap<string, Count> {
    return new Map(this.#protocols.entries());
  }

  get types(): TypeCount[] {
    return this.#types.entries().map(([key, count]) => {
      const [protocol = "", name = ""] = partsOf(key, 2);
      return { protocol, name, ...count };
    });
  }

  /** Classes of creatables, wherever they occur in a message. */
  get classes(): (Count & { readonly name: string })[] {
    return this.#classes.entries().map(([name, count]) => ({ name, ...count }));
  }

  get players(): PartyCount[] {
    return this.#players.counts;
  }

  get ages(): PartyCount[] {
    return this.#ages.counts;
  }

  get troubles(): ReadonlyMap<Trouble, Readonly<Count>> {
    return this.#troubles;
  }

  /** Adds a message, or a range that is not a message. */
  add(message: Message): void {
    const { nodes, name, protocol, status, length, conversation } = message;
    if (nodes === undefined) {
      if (name === "gap" || name === "skipped" || name === "encrypted") this.#trouble(name, length);
      return;
    }
    // The bytes of an assembled message were counted with the messages it was assembled from.
    const own = isAssembled(message) ? 0 : length;
    addTo(this.messages, own);
    addTo(this.#protocolOf(conversation.transport, protocol), own);
    addTo(this.#typesOf.of(protocol, name), length);
    if (status !== "ok") this.#trouble(status, length);
    this.#look(nodes);
    const { context } = nodes;
    if (context === undefined) return;
    const { player, place } = context;
    if (player !== undefined) this.#players.take(player, message);
    if (place !== undefined) this.#ages.take(place, message);
  }

  /** Takes out what was counted since the last time. */
  takeSums(): TallySums {
    const { count, bytes } = this.messages;
    this.messages.count = 0;
    this.messages.bytes = 0;
    return {
      messages: { count, bytes },
      protocols: sumsIn(this.#protocols.entries()),
      types: sumsIn(this.#types.entries()),
      classes: sumsIn(this.#classes.entries()),
      troubles: sumsIn(this.#troubles),
      players: this.#players.takeSums(),
      ages: this.#ages.takeSums(),
    };
  }

  /** Adds what another tally has counted. @returns false if there is not enough room to tell everything apart */
  addSums(sums: TallySums): boolean {
    this.messages.count += sums.messages.count;
    this.messages.bytes += sums.messages.bytes;
    for (const [map, added] of [
      [this.#protocols, sums.protocols],
      [this.#types, sums.types],
      [this.#classes, sums.classes],
    ] as const) {
      for (const [key, count, bytes] of added) addSum(map.of(key), count, bytes);
    }
    for (const [trouble, count, bytes] of sums.troubles) {
      const sum = troubles.find((known) => known === trouble);
      if (sum !== undefined) addSum(this.#troubles.get(sum), count, bytes);
    }
    this.#players.addSums(sums.players);
    this.#ages.addSums(sums.ages);
    const all = [this.#protocols, this.#types, this.#classes, this.#players, this.#ages];
    return !all.some(({ isFull }) => isFull);
  }

  /** Makes an entry for a type of messages, whose counts will be added. */
  newType(key: string): void {
    this.#types.of(key);
  }

  /** The same for a player or an age. */
  newParty(list: PartyList, key: string): void {
    (list === "players" ? this.#players : this.#ages).newParty(key);
  }

  /** Sets the names of players and ages. @param nameOf undefined for one without a name */
  nameParties(nameOf: (list: PartyList, key: string) => string | undefined): void {
    this.#players.nameAll((key) => nameOf("players", key));
    this.#ages.nameAll((key) => nameOf("ages", key));
  }

  /** The count of a protocol; those used before are found without building a key. */
  #protocolOf(transport: Transport, protocol: string): Count {
    const recent = transport === "tcp" ? this.#recent.tcp : this.#recent.udp;
    let count = recent.get(protocol);
    if (count === undefined) {
      count = this.#protocols.of(...protocolKeys(transport, protocol));
      recent.set(protocol, count);
    }
    return count;
  }

  #trouble(trouble: Trouble, bytes: number): void {
    const count = this.#troubles.get(trouble);
    if (count !== undefined) addTo(count, bytes);
  }

  /** Counts the classes and undissected parts inside a message. */
  #look(nodes: FieldTree): void {
    nodes.forEachClass(this.#class);
    nodes.forEachUndissected(this.#undissected);
  }

  readonly #class = (name: string, length: number, field: Field): void => {
    addTo(field.struct === undefined ? this.#classes.of(name) : this.#classesOf.of(field), length);
  };
  readonly #undissected = (length: number): void => this.#trouble("undissected", length);
}

function addSum(sum: Count | undefined, count: number, bytes: number): void {
  if (sum === undefined) return;
  sum.count += count;
  sum.bytes += bytes;
}
