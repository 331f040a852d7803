import { type Passed, sharedObject } from "moul-dissect/dissector";

/** What finds a request: see `keyOf`. */
export type RequestKey = number | string;

/** The numberings that a connection has. */
export const Numbering = { transactions: 0, games: 1, pings: 2 } as const;
export type Numbering = (typeof Numbering)[keyof typeof Numbering];

const NUMBERS = 2 ** 32;

/**
 * Returns what finds a request among those of its connection: numbers are found faster than texts, which would have to be
 * made for each message, and small numbers fastest.
 *
 * @param id an unsigned number of 32 bits, or a text
 */
export function keyOf(numbering: Numbering, id: RequestKey): RequestKey {
  return typeof id === "number" ? numbering * NUMBERS + id : `${numbering} ${id}`;
}

/** A request and what became of it. */
export class Request implements Passed {
  name = "";
  number = 0;
  seconds = 0;
  nanoseconds = 0;
  /** Its name for something whose number the reply gives; empty if it names nothing. */
  subject = "";
  isAnswered = false;
  /** The parts of the reply that are still to be acknowledged, the oldest first; undefined before there is one. */
  parts: Passed[] | undefined;
  /** How many losses the connection had had when the first part came: after another one, their order is uncertain. */
  losses = 0;
  /** For `Requests`: the requests before and after it in the order. */
  older: Request | undefined;
  newer: Request | undefined;

  /**
   * @param heldBy the requests of its connection
   * @param heldAs what finds it there
   */
  constructor(
    public heldBy: Map<RequestKey, Request>,
    public heldAs: RequestKey,
  ) {}
}

/** Most requests that a run remembers. A player's vault has a few thousand nodes, which are fetched all at once. */
const MOST_REQUESTS = 32_768;

/**
 * The requests of all connections of a run. The oldest one makes room: they are bounded together, as no connection
 * knows how many others there are.
 */
export class Requests {
  /** The ends of the order in which they came. */
  #oldest: Request | undefined;
  #latest: Request | undefined;
  #size = 0;

  /** @param shared what the conversations of this dissector share in a run */
  static in(shared: Map<string, unknown>): Requests {
    return sharedObject(shared, "requests", Requests);
  }

  /** True unless requests of other connections might have made one of these be forgotten. */
  isDivisible(threads: number): boolean {
    return this.#size <= MOST_REQUESTS / threads;
  }

  /** Number of requests remembered. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds a request to those of a connection. The caller fills it in: it may be one that was forgotten to make room, and
   * still has its old content. Requests live so long that V8 would collect discarded ones only late.
   */
  add(held: Map<RequestKey, Request>, key: RequestKey): Request {
    let request = this.#size < MOST_REQUESTS ? undefined : this.#oldest;
    if (request === undefined) {
      request = new Request(held, key);
      this.#size++;
    } else {
      this.#unlink(request);
      request.heldBy.delete(request.heldAs);
      request.heldBy = held;
      request.heldAs = key;
    }
    held.set(key, request);
    this.#append(request);
    return request;
  }

  /** Makes a request the latest one. */
  renew(request: Request): void {
    if (request === this.#latest) return;
    this.#unlink(request);
    this.#append(request);
  }

  #unlink(request: Request): void {
    const { older, newer } = request;
    if (older !== undefined) older.newer = newer;
    else this.#oldest = newer;
    if (newer !== undefined) newer.older = older;
    else this.#latest = older;
    request.newer = undefined;
  }

  #append(request: Request): void {
    request.older = this.#latest;
    if (this.#latest === undefined) this.#oldest = request;
    else this.#latest.newer = request;
    this.#latest = request;
  }
}
