import type { Message } from "../dissect/message.js";
import { type Conversation, type EndReason, type Origin, secondsBetween } from "../network/conversation.js";
import { keyOf } from "../stats/index.js";
import { numbered } from "./filter-text.js";
import type { Finding } from "./finding.js";
import { Group } from "./group.js";
import { partyOf } from "./party.js";

/** Seconds after which somebody who comes back has simply come back. */
const SOON = 600;

/** Where a player is connected, or was last. */
interface Connection {
  readonly conversation: Conversation;
  /** Where in the game: another place has a connection of its own. */
  readonly place: string;
  last: Origin;
}

/** How a conversation ended. */
interface Ending {
  readonly reason: EndReason;
  readonly by: string;
}

/** Finds players who connect again to the place that they were connected to before. */
export class Reconnects {
  readonly #connections = new Map<string, Connection>();
  readonly #endings = new WeakMap<Conversation, Ending>();
  readonly #groups = new Map<string, Group>();

  /** @param most how many players are followed */
  constructor(readonly most: number) {}

  ended(conversation: Conversation, reason: EndReason, by: string): void {
    this.#endings.set(conversation, { reason, by });
  }

  take(message: Message): void {
    const { nodes, conversation, protocol, origin } = message;
    const { player, place } = nodes?.context ?? {};
    if (player === undefined) return;
    const key = keyOf(protocol, nodes?.names?.scope ?? "", player.kind, player.id);
    const known = this.#connections.get(key);
    if (known?.conversation === conversation) {
      known.last = origin;
      return;
    }
    // It is over, although some of it may come late.
    if (known !== undefined && known.conversation.stream > conversation.stream) return;
    const where = place === undefined ? "" : keyOf(place.kind, place.id);
    if (known?.place === where) this.#again(message, known);
    if (known === undefined && this.#connections.size >= this.most) return;
    this.#connections.set(key, { conversation, place: where, last: origin });
  }

  #again(message: Message, { conversation, last }: Connection): void {
    const seconds = secondsBetween(last, message.origin);
    if (seconds > SOON) return;
    const { protocol, number } = message;
    const group = this.#groups.get(protocol) ?? new Group();
    this.#groups.set(protocol, group);
    group.add(number, `${partyOf(message)}: the connection before was ${this.#endOf(conversation)}`);
  }

  #endOf(conversation: Conversation): string {
    const { reason, by } = this.#endings.get(conversation) ?? {};
    if (reason === "rst") return `reset${by === "" ? "" : ` by the ${by}`}`;
    if (reason === "fin") return `closed${by === "" ? "" : ` by the ${by}`}`;
    return reason === "idle" ? "silent" : "still open";
  }

  get findings(): Finding[] {
    return [...this.#groups].map(([protocol, group]) => {
      const { numbers, count, examples } = group;
      const filter = numbered(numbers);
      return { kind: "reconnect", protocol, message: "", what: "", count, examples, filter, shown: numbers.length };
    });
  }
}
