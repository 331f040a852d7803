import { isAssembled, type Message } from "../dissect/message.js";
import type { Limits } from "../limits.js";
import { type Origin, secondsBetween, type Transport } from "../network/conversation.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import type { Answer } from "../schema/language/message-context.js";
import { BoundedMap } from "./bounded-map.js";
import { addTo, type Count, noCount } from "./count.js";
import { keyOf, partsOf } from "./keys.js";
import { Parties, type PartyCount } from "./parties.js";
import { protocolKeys } from "./protocol-key.js";
import { Quantiles } from "./quantiles.js";
import { Timeline } from "./timeline.js";
import { Unanswered } from "./unanswered.js";

/** What can be wrong, in the order in which it is reported. */
export const troubles = ["gap", "skipped", "encrypted", "truncated", "malformed", "unknown", "undissected"] as const;
export type Trouble = (typeof troubles)[number];

/** Messages of one type. */
interface TypeCount extends Count {
  readonly protocol: string;
  readonly name: string;
}

/** Messages of one type that reported one error. */
export interface ErrorCount extends TypeCount {
  readonly error: string;
}

/** How long answers took. */
export interface Latency {
  /** That of the answers. */
  readonly protocol: string;
  /** Name of the request, as in `Answer`. */
  readonly name: string;
  /** In milliseconds. */
  readonly times: Quantiles;
}

/** Requests of one kind that got no reply. */
export interface UnansweredCount {
  readonly protocol: string;
  readonly name: string;
  readonly count: number;
  /** Numbers of the first of these messages. */
  readonly numbers: readonly number[];
}

/** Sums up any number of messages in bounded memory. */
export class Statistics {
  readonly #types: BoundedMap<Count>;
  readonly #recent = { tcp: new Map<string, Recent>(), udp: new Map<string, Recent>() };
  readonly #classes: BoundedMap<Count>;
  readonly #errors: BoundedMap<Count>;
  readonly #players: Parties;
  readonly #ages: Parties;
  readonly #latencies: BoundedMap<Quantiles>;
  readonly #pings: BoundedMap<Quantiles>;
  readonly #unanswered: BoundedMap<Unanswered>;
  readonly #protocols: BoundedMap<Count>;
  readonly #troubles = new Map<Trouble, Count>(troubles.map((trouble) => [trouble, noCount()]));
  readonly timeline = new Timeline();
  /** Messages of all types. */
  readonly messages = noCount();
  /** When the earliest message ended. */
  first: Origin | undefined;
  /** When the first one that was taken ended: all other times are in seconds since then. */
  #zero: Origin | undefined;
  #earliest = 0;
  #latest = 0;
  #frames = { from: Number.POSITIVE_INFINITY, to: 0 };

  constructor({ countedKeys, timedRequests }: Pick<Limits, "countedKeys" | "timedRequests">) {
    const counts = () => new BoundedMap(noCount, countedKeys);
    const times = () => new BoundedMap(() => new Quantiles(), timedRequests);
    [this.#types, this.#classes, this.#errors, this.#protocols] = [counts(), counts(), counts(), counts()];
    [this.#players, this.#ages] = [new Parties(countedKeys), new Parties(countedKeys)];
    [this.#latencies, this.#pings] = [times(), times()];
    this.#unanswered = new BoundedMap(() => new Unanswered(), timedRequests);
  }

  /** Seconds from the earliest message to the latest one. */
  get seconds(): number {
    return this.#latest - this.#earliest;
  }

  /** The lowest and the highest number of a frame that ends a message. */
  get frames(): { readonly from: number; readonly to: number } {
    return this.#frames;
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

  /** Error results, by the message that carried them. */
  get errors(): ErrorCount[] {
    return this.#errors.entries().map(([key, count]) => {
      const [protocol = "", name = "", error = ""] = partsOf(key, 3);
      return { protocol, error, name, ...count };
    });
  }

  get players(): PartyCount[] {
    return this.#players.counts;
  }

  get ages(): PartyCount[] {
    return this.#ages.counts;
  }

  /** From each request to the first part of its answer. */
  get latencies(): Latency[] {
    return latenciesOf(this.#latencies);
  }

  /** From each ping to its answer. */
  get pings(): Latency[] {
    return latenciesOf(this.#pings);
  }

  /** Requests without a reply, by kind; meaningful only if all messages were taken, not those of a filter. */
  get unanswered(): UnansweredCount[] {
    return this.#unanswered.entries().flatMap(([name, { counts }]) => counts.map((count) => ({ name, ...count })));
  }

  get troubles(): ReadonlyMap<Trouble, Readonly<Count>> {
    return this.#troubles;
  }

  /** Takes the next message, or a range that is not a message. */
  take(message: Message): void {
    const { nodes, name, protocol, status, length, conversation } = message;
    this.#notice(message.origin);
    if (nodes === undefined) {
      if (name === "gap" || name === "skipped" || name === "encrypted") this.#trouble(name, length);
      return;
    }
    // The bytes of an assembled message were counted with the messages it was assembled from.
    const own = isAssembled(message) ? 0 : length;
    addTo(this.messages, own);
    const recent = this.#recentOf(conversation.transport, protocol);
    addTo(recent.all, own);
    addTo(this.#typeOf(recent, protocol, name), length);
    if (status !== "ok") this.#trouble(status, length);
    this.#look(nodes);
    const { context } = nodes;
    if (context === undefined) return;
    const { player, place, answers, asks, forgets, error } = context;
    if (error !== undefined) addTo(this.#errors.of(keyOf(protocol, name, error)), length);
    if (asks) this.#unanswered.of(asks === true ? name : asks).asked(message.number, protocol);
    if (answers !== undefined) this.#answered(answers, protocol);
    // Whether a forgotten request is answered will not be known, so it does not count as unanswered.
    if (forgets !== undefined) this.#unanswered.of(forgets.name).settled(forgets, protocol);
    if (player !== undefined) this.#players.take(player, message);
    if (place !== undefined) this.#ages.take(place, message);
  }

  /** The counts of a protocol; those used before are found without building a key. */
  #recentOf(transport: Transport, protocol: string): Recent {
    const recent = this.#recent[transport];
    let found = recent.get(protocol);
    if (found === undefined || found.types.size >= MOST_RECENT) {
      found = { all: this.#protocols.of(...protocolKeys(transport, protocol)), types: new Map() };
      recent.set(protocol, found);
    }
    return found;
  }

  #typeOf({ types }: Recent, protocol: string, name: string): Count {
    let count = types.get(name);
    if (count === undefined) {
      count = this.#types.of(keyOf(protocol, name));
      types.set(name, count);
    }
    return count;
  }

  #notice(origin: Origin): void {
    this.first ??= origin;
    this.#zero ??= origin;
    if (origin.frame < this.#frames.from) this.#frames.from = origin.frame;
    if (origin.frame > this.#frames.to) this.#frames.to = origin.frame;
    const seconds = secondsBetween(this.#zero, origin);
    if (seconds < this.#earliest) {
      this.first = origin;
      this.#earliest = seconds;
    } else if (seconds > this.#latest) this.#latest = seconds;
    this.timeline.add(seconds);
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

  readonly #class = (name: string, length: number): void => addTo(this.#classes.of(name), length);
  readonly #undissected = (length: number): void => this.#trouble("undissected", length);

  #answered(answer: Answer, protocol: string): void {
    const { name, milliseconds, isFirst, isPing } = answer;
    if (isFirst) this.#unanswered.of(name).settled(answer, protocol);
    if (!isFirst || milliseconds === undefined) return;
    (isPing ? this.#pings : this.#latencies).of(keyOf(protocol, name)).add(milliseconds);
  }
}

/** Recently used counts of a protocol: of all of its messages, and of message types. */
interface Recent {
  readonly all: Count;
  readonly types: Map<string, Count>;
}

/** Most message types of a protocol that are found quickly; a protocol has a few hundred. */
const MOST_RECENT = 1000;

function latenciesOf(requests: BoundedMap<Quantiles>): Latency[] {
  return requests.entries().map(([key, times]) => {
    const [protocol = "", name = ""] = partsOf(key, 2);
    return { protocol, name, times };
  });
}
