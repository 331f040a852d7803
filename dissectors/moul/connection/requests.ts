/** A message that has gone by, and its time. */
export interface Passed {
  readonly name: string;
  readonly number: number;
  readonly seconds: number;
  readonly nanoseconds: number;
}

/** A request, and what has come of it. */
export class Request implements Passed {
  key = "";
  name = "";
  number = 0;
  seconds = 0;
  nanoseconds = 0;
  /** What it calls something of which the reply tells the number; empty if it does not name anything. */
  subject = "";
  isAnswered = false;
  /** The parts of the reply that are still to be acknowledged, the oldest first; undefined before there is one. */
  parts: Passed[] | undefined;
  /** How many losses the connection had when the first of them came: behind another one, their order is not certain. */
  losses = 0;
}

/** Requests of a run that are remembered. A player's vault has some thousand nodes, which are fetched at once. */
const MOST_REQUESTS = 32_768;

/**
 * Replies of a run that are remembered because their requests may be seen late: where a client's messages wait until the
 * server's tell how they are to be read.
 */
const MOST_STRAYS = 64;

const SHARED = "requests";

/**
 * The requests of all connections of a run, of which the oldest makes room: together they are bounded, as no connection
 * knows how many others there are.
 */
export class Requests {
  /** From the oldest to the latest. */
  readonly #byKey = new Map<string, Request>();
  /** Stands behind the last one that made room: one that began anew would pass by all those that have, each time. */
  readonly #oldest = this.#byKey.keys();
  /**
   * The latest replies whose requests have not been seen, and their keys, in turn. A map would leave much behind that
   * outlives the young generation of the heap: it makes a new table each time that so many have come and gone.
   */
  readonly #strays: Passed[] = [];
  readonly #keysOfStrays: string[] = [];
  #nextStray = 0;
  #connections = 0;

  /** @param shared what conversations of this dissector put down for each other in a run */
  static in(shared: Map<string, unknown>): Requests {
    const known = shared.get(SHARED);
    if (known instanceof Requests) return known;
    const requests = new Requests();
    shared.set(SHARED, requests);
    return requests;
  }

  /** What the keys of a connection begin with, to be asked once by each. */
  newConnection(): string {
    return `${this.#connections++} `;
  }

  /** How many are remembered. */
  get size(): number {
    return this.#byKey.size;
  }

  /** The latest request with a key. */
  get(key: string): Request | undefined {
    return this.#byKey.get(key);
  }

  /**
   * Makes a request the latest one with its key. What it says is still to be put in, the key, too: of one that made room,
   * everything is there yet. Requests live long enough that V8 would look for those that are gone only late.
   */
  renewed(key: string): Request {
    const hasRoom = this.#byKey.size < MOST_REQUESTS || this.#byKey.has(key);
    const replaced = hasRoom ? key : (this.#oldest.next().value ?? key);
    const request = this.#byKey.get(replaced) ?? new Request();
    this.#byKey.delete(replaced);
    this.#byKey.set(key, request);
    return request;
  }

  /** Remembers a reply whose request has not been seen. */
  stray(key: string, reply: Passed): void {
    this.takeStray(key);
    this.#strays[this.#nextStray] = reply;
    this.#keysOfStrays[this.#nextStray] = key;
    this.#nextStray = (this.#nextStray + 1) % MOST_STRAYS;
  }

  /** The reply that came before its request, once. */
  takeStray(key: string): Passed | undefined {
    const place = this.#keysOfStrays.indexOf(key);
    if (place < 0) return undefined;
    this.#keysOfStrays[place] = "";
    return this.#strays[place];
  }
}
