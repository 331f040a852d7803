import type { Answer } from "../schema/language/message-context.js";

/** Most requests whose numbers are kept until they are answered: a player's vault has some thousands of nodes. */
const MOST_OPEN = 8192;

/** Most numbers of requests that are reported. */
const MOST_LISTED = 5;

/** The requests of one kind in one protocol that got no reply. */
interface UnansweredOfProtocol {
  readonly protocol: string;
  readonly count: number;
  /** The numbers of the first few. */
  readonly numbers: readonly number[];
}

/** Requests of one kind that are still without a reply. */
export class Unanswered {
  /** Their protocols: a reply need not be of the same one, if the version was not known at first. */
  readonly #open = new Map<number, string>();
  /** How many more there are of each protocol, whose numbers are not kept: a reply is taken for one of its own. */
  readonly #others = new Map<string, number>();

  /** @param number of the request */
  asked(number: number, protocol: string): void {
    if (this.#open.size < MOST_OPEN) this.#open.set(number, protocol);
    else this.#others.set(protocol, (this.#others.get(protocol) ?? 0) + 1);
  }

  /** A request was answered, or it will never be known whether it was. The message may never have been a request. */
  settled({ number }: Pick<Answer, "number">, protocol: string): void {
    if (this.#open.delete(number)) return;
    const candidates = [protocol, ...this.#others.keys()];
    const asked = candidates.find((candidate) => (this.#others.get(candidate) ?? 0) > 0);
    if (asked !== undefined) this.#others.set(asked, (this.#others.get(asked) ?? 0) - 1);
  }

  /** Those of each protocol that has any. */
  get counts(): UnansweredOfProtocol[] {
    return [...new Set([...this.#open.values(), ...this.#others.keys()])]
      .map((protocol) => {
        const numbers = [...this.#open].filter(([, its]) => its === protocol).map(([number]) => number);
        const count = numbers.length + (this.#others.get(protocol) ?? 0);
        return { protocol, count, numbers: numbers.sort((a, b) => a - b).slice(0, MOST_LISTED) };
      })
      .filter(({ count }) => count > 0);
  }
}
