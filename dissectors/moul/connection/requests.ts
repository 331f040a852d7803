import { type Passed, sharedObject } from "moul-dissect/dissector";

/** What finds a request: see `keyOf`. */
export type RequestKey = number | string;

/** Numbers of 32 bits for each connection and numbering that a key which is a number can hold. */
const MOST_NUMBERINGS = 2 ** 21;
const NUMBERS = 2 ** 32;

/**
 * Returns the key of a request: numbers are found faster than texts, which would have to be made for each message.
 *
 * @param connection number of the connection, see `Requests.newConnection`
 * @param numbering which of its numberings: 0 or 1
 * @param id an unsigned number of 32 bits, or a text
 */
export function keyOf(connection: number, numbering: 0 | 1, id: RequestKey): RequestKey {
  const series = connection * 2 + numbering;
  return typeof id === "number" && series < MOST_NUMBERINGS ? series * NUMBERS + id : `${series} ${id}`;
}

/** A request and what became of it. */
export class Request implements Passed {
  key: RequestKey = "";
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
  /** For `Requests`: the key that it has there, and the requests before and after it in the order. */
  heldAs: RequestKey = "";
  older: Request | undefined;
  newer: Request | undefined;
}

/** Most requests that a run remembers. A player's vault has a few thousand nodes, which are fetched all at once. */
const MOST_REQUESTS = 32_768;

/**
 * The requests of all connections of a run. The oldest one makes room: they are bounded together, as no connection
 * knows how many others there are.
 */
export class Requests {
  readonly #byKey = new Map<RequestKey, Request>();
  /**
   * The ends of the order in which they came. The map could keep that order, but an iterator that waits at its start
   * keeps all tables that the map has ever had.
   */
  #oldest: Request | undefined;
  #latest: Request | undefined;
  #connections = 0;

  /** @param shared what the conversations of this dissector share in a run */
  static in(shared: Map<string, unknown>): Requests {
    return sharedObject(shared, "requests", Requests);
  }

  /** True unless requests of other connections might have made one of these be forgotten. */
  isDivisible(threads: number): boolean {
    return this.#byKey.size <= MOST_REQUESTS / threads;
  }

  /** A number for the keys of a connection, to be called once for each. */
  newConnection(): number {
    return this.#connections++;
  }

  /** Number of requests remembered. */
  get size(): number {
    return this.#byKey.size;
  }

  /** The latest request with a key. */
  get(key: RequestKey): Request | undefined {
    return this.#byKey.get(key);
  }

  /**
   * Makes a request the latest one with its key. The caller fills it in, including the key: a request that is reused
   * still has its old content. Requests live so long that V8 would collect discarded ones only late.
   */
  renewed(key: RequestKey): Request {
    let request = this.#byKey.get(key);
    if (request === undefined) {
      if (this.#byKey.size >= MOST_REQUESTS) request = this.#oldest;
      if (request !== undefined) this.#byKey.delete(request.heldAs);
      request ??= new Request();
      request.heldAs = key;
      this.#byKey.set(key, request);
    }
    if (request !== this.#latest) {
      this.#unlink(request);
      this.#append(request);
    }
    return request;
  }

  /** Takes a request out of the order, if it is in it. */
  #unlink(request: Request): void {
    const { older, newer } = request;
    if (older !== undefined) older.newer = newer;
    else if (request === this.#oldest) this.#oldest = newer;
    if (newer !== undefined) newer.older = older;
    request.newer = undefined;
  }

  #append(request: Request): void {
    request.older = this.#latest;
    if (this.#latest === undefined) this.#oldest = request;
    else this.#latest.newer = request;
    this.#latest = request;
  }
}
