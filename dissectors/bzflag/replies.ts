import {
  type Direction,
  type MessagePlace,
  markAnswer,
  millisecondsBetween,
  type Passed,
} from "moul-dissect/dissector";
import type { DecodedTree, StructType } from "moul-dissect/schema";

/** Requests of clients and the replies to them, which look the same whichever of the requests they answer. */
interface Exchange {
  readonly requests: readonly StructType<unknown>[];
  readonly replies: readonly StructType<unknown>[];
}

/** Finds the exchange that a message is part of. */
export class Exchanges {
  readonly #byType: Readonly<Record<Direction, ReadonlyMap<StructType<unknown>, Exchange>>>;

  constructor(exchanges: readonly Exchange[]) {
    const byType = (types: keyof Exchange) =>
      new Map(exchanges.flatMap((exchange) => exchange[types].map((type) => [type, exchange] as const)));
    this.#byType = { c2s: byType("requests"), s2c: byType("replies") };
  }

  of(direction: Direction, type: StructType<unknown>): Exchange | undefined {
    return this.#byType[direction].get(type);
  }
}

/**
 * Finds the request that a reply answers. Nothing in a message says so, but clients wait for a reply before they ask
 * the same again. While one direction waits for missing bytes, the other one goes on: messages need not come in order
 * of time.
 */
export class Replies {
  /** The latest requests without a reply. */
  readonly #open = new Map<Exchange, Passed>();
  /** The latest replies: they, or earlier ones, were for all requests captured before them. */
  readonly #latest = new Map<Exchange, Passed>();

  constructor(readonly exchanges: Exchanges) {}

  /** Notes a request, or says which one a message answers. */
  decoded(direction: Direction, type: StructType<unknown>, nodes: DecodedTree, place: MessagePlace): void {
    const exchange = this.exchanges.of(direction, type);
    if (exchange === undefined) return;
    const message = passed(type, place);
    if (direction === "c2s") {
      const reply = this.#latest.get(exchange);
      if (reply !== undefined && millisecondsBetween(message, reply) > 0) return;
      this.#open.set(exchange, message);
      nodes.context = { asks: true };
      return;
    }
    this.#latest.set(exchange, message);
    const request = this.#open.get(exchange);
    if (request === undefined || millisecondsBetween(request, message) < 0) return;
    this.#open.delete(exchange);
    markAnswer(nodes, request, message, { leaf: nodes.child(0, "code") });
  }

  /** Bytes of the connection are missing: a request or a reply may have been among them. */
  lost(): void {
    this.#open.clear();
  }
}

/** A message as what a later one may answer. */
export function passed({ struct }: StructType<unknown>, { number, origin }: MessagePlace): Passed {
  return { name: struct.name, number, seconds: origin.seconds, nanoseconds: origin.nanoseconds };
}
