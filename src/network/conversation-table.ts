import type { IpAddress } from "./address.js";
import type { Side, TrackedConversation } from "./tracked-conversation.js";

/** The place of a conversation in the chain of those with the same hash and in the order of last use. */
interface Entry<T> {
  readonly conversation: T;
  sameHash: Entry<T> | undefined;
  older: Entry<T> | undefined;
  newer: Entry<T> | undefined;
}

/**
 * Finds conversations by their two endpoints, whichever of them sends, and the path between them (see `Paths`), without
 * making a string or an object per packet, and knows which one has been idle longest.
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

  /** The conversation between two endpoints; afterwards `side` says which side of it is the source. */
  find(
    path: number,
    source: IpAddress,
    sourcePort: number,
    destination: IpAddress,
    destinationPort: number,
  ): T | undefined {
    // Most packets belong to the same conversation as the packet before.
    const newest = this.#newest;
    if (newest !== undefined && this.#matches(newest, path, source, sourcePort, destination, destinationPort)) {
      return newest.conversation;
    }
    let entry = this.#chains.get(this.#hash(path, source, sourcePort, destination, destinationPort));
    while (entry !== undefined && !this.#matches(entry, path, source, sourcePort, destination, destinationPort)) {
      entry = entry.sameHash;
    }
    if (entry === undefined) return undefined;
    this.#unlink(entry);
    this.#linkNewest(entry);
    return entry.conversation;
  }

  /** Adds a conversation whose endpoints are not in the table. */
  add(conversation: T): void {
    const hash = this.#hashOf(conversation);
    const sameHash = this.#chains.get(hash);
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
  }

  /** All conversations, the one idle longest first. */
  *[Symbol.iterator](): IterableIterator<T> {
    for (let entry = this.#oldest; entry !== undefined; entry = entry.newer) yield entry.conversation;
  }

  #matches(
    { conversation }: Entry<T>,
    path: number,
    source: IpAddress,
    sourcePort: number,
    destination: IpAddress,
    destinationPort: number,
  ): boolean {
    if (conversation.pathNumber !== path) return false;
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
    return this.#hash(conversation.pathNumber, first.address, first.port, second.address, second.port);
  }

  /** The same for both directions, and a small integer, for which a Map is fastest. */
  #hash(path: number, source: IpAddress, sourcePort: number, destination: IpAddress, destinationPort: number): number {
    const seed = this.#seed + path;
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
