/** A message that has gone by, and its time. */
export interface Passed {
  readonly name: string;
  readonly number: number;
  readonly seconds: number;
  readonly nanoseconds: number;
}

/** By what a connection knows its requests: the transaction's number; a text for what has numbers of its own. */
export type RequestKey = number | string;

/** A request, and what has come of it. */
export interface Request extends Passed {
  readonly key: RequestKey;
  /** What the request calls something of which the reply tells the number; empty if it does not name anything. */
  readonly subject: string;
  latestReply: Passed | undefined;
  /** The requests of its connection, by which replies find it. */
  readonly siblings: Map<RequestKey, Request>;
}

/** Requests of a run that are remembered. A player's vault has some thousand nodes, which are fetched at once. */
const MOST_REQUESTS = 32_768;

const SHARED = "requests";

/**
 * The requests of all connections of a run, of which the oldest makes room: together they are bounded, as no connection
 * knows how many others there are.
 */
export class Requests {
  /** A ring, once it is full. */
  readonly #all: Request[] = [];
  #next = 0;

  /** @param shared what conversations of this dissector put down for each other in a run */
  static in(shared: Map<string, unknown>): Requests {
    const known = shared.get(SHARED);
    if (known instanceof Requests) return known;
    const requests = new Requests();
    shared.set(SHARED, requests);
    return requests;
  }

  /** Takes down a request. Clients use their numbers again: the latest one with a number counts. */
  remember(request: Request): void {
    const oldest = this.#all[this.#next];
    if (oldest?.siblings.get(oldest.key) === oldest) oldest?.siblings.delete(oldest.key);
    this.#all[this.#next] = request;
    this.#next = (this.#next + 1) % MOST_REQUESTS;
    request.siblings.set(request.key, request);
  }
}
