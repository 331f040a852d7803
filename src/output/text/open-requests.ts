import type { Message } from "../../dissect/message.js";
import { type Asked, askedIn } from "./asked.js";

/** Most requests that are remembered: a player's vault has a few thousand nodes, which are fetched all at once. */
const MOST_REQUESTS = 16_384;

/** A request, as remembered until its reply comes. */
export interface OpenRequest {
  readonly number: number;
  readonly stream: number;
  readonly protocol: string;
  readonly name: string;
  readonly asked: Asked;
  /** True if it was shown. */
  readonly isShown: boolean;
}

/** Remembers requests: what a failed reply was asked for, and which requests had no reply when the capture ended. */
export class OpenRequests {
  readonly #unanswered = new Map<number, OpenRequest>();
  /** Answered ones: further parts of the reply may follow. */
  readonly #answered = new Map<number, OpenRequest>();
  /** How many were given up before a reply came, as there were too many. */
  #givenUp = 0;

  /** Takes the next message, after `answeredBy` has been asked about it. */
  see(message: Message, isShown: boolean): void {
    const { nodes, number, name, protocol, conversation } = message;
    const { asks, answers, forgets } = nodes?.context ?? {};
    if (asks) {
      const request = { number, stream: conversation.stream, protocol, name, asked: askedIn(message), isShown };
      if (keep(this.#unanswered, request)?.isShown) this.#givenUp++;
    }
    // Whether a forgotten one is answered will not be known.
    if (forgets !== undefined) this.#unanswered.delete(forgets.number);
    const request = answers === undefined ? undefined : this.#unanswered.get(answers.number);
    if (request === undefined) return;
    this.#unanswered.delete(request.number);
    keep(this.#answered, request);
  }

  /** The request that a message answers, if it is remembered. */
  answeredBy({ nodes }: Message): OpenRequest | undefined {
    const { number } = nodes?.context?.answers ?? {};
    return number === undefined ? undefined : (this.#unanswered.get(number) ?? this.#answered.get(number));
  }

  /** The requests shown so far that have no reply, and how many more may have none. */
  get unanswered(): { readonly requests: readonly OpenRequest[]; readonly givenUp: number } {
    return { requests: [...this.#unanswered.values()].filter(({ isShown }) => isShown), givenUp: this.#givenUp };
  }
}

/** Keeps a request; returns the oldest one if it had to make room. */
function keep(requests: Map<number, OpenRequest>, request: OpenRequest): OpenRequest | undefined {
  requests.set(request.number, request);
  if (requests.size <= MOST_REQUESTS) return undefined;
  const [oldest] = requests.values();
  if (oldest !== undefined) requests.delete(oldest.number);
  return oldest;
}
