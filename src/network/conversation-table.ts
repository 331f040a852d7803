import type { IpAddress } from "./address.js";
import type { Side, TrackedConversation } from "./tracked-conversation.js";

/**
 * How well a packet fits a conversation: not; nothing contradicts it; part of what it says agrees with what has come, and
 * the rest contradicts what is not certain; all agrees.
 */
export const Fit = { no: 0, perhaps: 1, partly: 2, yes: 3 } as const;
export type Fit = (typeof Fit)[keyof typeof Fit];

/** The place of a conversation in the chain of those with the same hash and in the order of last use. */
interface Entry<T> {
  readonly conversation: T;
  sameHash: Entry<T> | undefined;
  older: Entry<T> | undefined;
  newer: Entry<T> | undefined;
}

/**
 * Finds conversations by their two endpoints, whichever of them sends, without making a string or an object per packet,
 * and knows which one has been idle longest. The path between them (see `Encapsulations`) tells conversations apart only where
 * what they carry does, too: the directions of one need not take the same.
 */
export class ConversationTable<T extends TrackedConversation> {
  /** The side that sent the packet, in the conversation found last. */
  side: Side = 0;
  readonly #chains = new Map<number, Entry<T>>();
  // No output depends on it; it keeps a hostile capture from putting all conversations into one chain.
  readonly #seed = Math.floor(Math.random() * 0x1_0000_0000) | 0;
  #size = 0;
  #oldest: Entry<T> | undefined;
  #newest: Entry<T> | undefined;

  get size(): number {
    return this.#size;
  }

  /** The conversation that was looked up longest ago. */
  get oldest(): T | undefined {
    return this.#oldest?.conversation;
  }

  /**
   * The conversation that a packet belongs to; afterwards `side` says which side of it is the source.
   * @param fitOf how well the packet fits a conversation, sent by a side; asked only if the path leaves a doubt.
   */
  find(
    path: number,
    source: IpAddress,
    sourcePort: number,
    destination: IpAddress,
    destinationPort: number,
    fitOf: (conversation: T, side: Side) => Fit,
  ): T | undefined {
    // Most packets belong to the same conversation as the packet before.
    const newest = this.#newest;
    if (newest !== undefined && this.#joins(newest, source, sourcePort, destination, destinationPort)) {
      const { conversation } = newest;
      if (conversation.twins === 0 && conversation.comesThrough(this.side, path)) return conversation;
    }
    let known: Entry<T> | undefined;
    let found: Entry<T> | undefined;
    let side: Side = 0;
    let best: Fit = Fit.no;
    let entry = this.#chains.get(this.#hash(source, sourcePort, destination, destinationPort));
    for (; entry !== undefined; entry = entry.sameHash) {
      if (!this.#joins(entry, source, sourcePort, destination, destinationPort)) continue;
      const { conversation } = entry;
      const isKnown = conversation.comesThrough(this.side, path);
      // On its path the only one has not to be asked: it finds out itself what does not fit.
      const fits = isKnown && conversation.twins === 0 ? Fit.yes : fitOf(conversation, this.side);
      if (isKnown) known ??= entry;
      // Of those that fit as well, the one on its path, or else the oldest.
      if (fits === Fit.no || fits < best || (fits === best && found === known)) continue;
      best = fits;
      found = entry;
      side = this.side;
      if (isKnown && fits === Fit.yes) break;
    }
    const chosen = found ?? known;
    if (chosen === undefined) return undefined;
    if (chosen === found) this.side = side;
    else this.#joins(chosen, source, sourcePort, destination, destinationPort);
    this.#unlink(chosen);
    this.#linkNewest(chosen);
    return chosen.conversation;
  }

  /** Adds a conversation. */
  add(conversation: T): void {
    const hash = this.#hashOf(conversation);
    const sameHash = this.#chains.get(hash);
    for (const twin of this.twinsOf(conversation)) {
      twin.twins++;
      conversation.twins++;
    }
    const entry: Entry<T> = { conversation, sameHash, older: undefined, newer: undefined };
    this.#chains.set(hash, entry);
    this.#linkNewest(entry);
    this.#size++;
  }

  remove(conversation: T): void {
    const hash = this.#hashOf(conversation);
    let before: Entry<T> | undefined;
    let entry = this.#chains.get(hash);
    while (entry !== undefined && entry.conversation !== conversation) {
      before = entry;
      entry = entry.sameHash;
    }
    if (entry === undefined) return;
    if (before !== undefined) before.sameHash = entry.sameHash;
    else if (entry.sameHash !== undefined) this.#chains.set(hash, entry.sameHash);
    else this.#chains.delete(hash);
    this.#unlink(entry);
    this.#size--;
    for (const twin of this.twinsOf(conversation)) twin.twins--;
  }

  /** The other conversations in the table between the same endpoints, the one opened last first. */
  twinsOf(conversation: T): readonly T[] {
    const [first, second] = conversation.sides;
    const twins: T[] = [];
    for (let entry = this.#chains.get(this.#hashOf(conversation)); entry !== undefined; entry = entry.sameHash) {
      const isTwin = entry.conversation !== conversation;
      if (isTwin && this.#joins(entry, first.address, first.port, second.address, second.port)) {
        twins.push(entry.conversation);
      }
    }
    return twins;
  }

  /** All conversations, the one idle longest first. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (let entry = this.#oldest; entry !== undefined; entry = entry.newer) yield entry.conversation;
  }

  /** Whether a conversation is between two endpoints; sets `side`. */
  #joins(
    { conversation }: Entry<T>,
    source: IpAddress,
    sourcePort: number,
    destination: IpAddress,
    destinationPort: number,
  ): boolean {
    const [first, second] = conversation.sides;
    if (first.matches(source, sourcePort) && second.matches(destination, destinationPort)) {
      this.side = 0;
      return true;
    }
    if (second.matches(source, sourcePort) && first.matches(destination, destinationPort)) {
      this.side = 1;
      return true;
    }
    return false;
  }

  #linkNewest(entry: Entry<T>): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  #unlink(entry: Entry<T>): void {
    if (entry.older === undefined) this.#oldest = entry.newer;
    else entry.older.newer = entry.newer;
    if (entry.newer === undefined) this.#newest = entry.older;
    else entry.newer.older = entry.older;
  }

  #hashOf(conversation: T): number {
    const [first, second] = conversation.sides;
    return this.#hash(first.address, first.port, second.address, second.port);
  }

  /** The same for both directions, and a small integer, for which a Map is fastest. */
  #hash(source: IpAddress, sourcePort: number, destination: IpAddress, destinationPort: number): number {
    const seed = this.#seed;
    return (endpointHash(source, sourcePort, seed) + endpointHash(destination, destinationPort, seed)) & 0x3fffffff;
  }
}

function endpointHash(address: IpAddress, port: number, seed: number): number {
  let hash = mix(seed, address.w3);
  if (address.version === 6) hash = mix(mix(mix(hash, address.w0), address.w1), address.w2);
  return mix(hash, port);
}

/** The finalisation of MurmurHash3, which lets every bit of the input affect every bit of the result. */
function mix(hash: number, word: number): number {
  let mixed = hash ^ word;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
