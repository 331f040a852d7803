import type { Conversation } from "../../network/conversation.js";
import { printable } from "../../output/writers/sanitise.js";
import type { MessageHead, MessageStore } from "../../store/message-store.js";
import type { Arrow, Row } from "../session-api.js";
import type { ShownList } from "./shown-list.js";

/** Most lifelines that can be told apart on a screen. */
const MOST_PARTICIPANTS = 12;
/** Most messages that are looked at to find out who takes part. */
const MOST_LOOKED_AT = 20_000;

/** Who says what to whom, in the messages of a list. */
export class Sequence {
  readonly #players: ReadonlyMap<Conversation, string>;
  #participants: readonly string[] = [];

  /** @param players who plays in a conversation, where that is known */
  constructor(
    readonly store: MessageStore,
    readonly list: ShownList,
    players: ReadonlyMap<Conversation, string>,
  ) {
    this.#players = players;
  }

  /** Finds out who takes part: clients by their player or address, then servers by their protocol. */
  participants(): readonly string[] {
    const clients = new Set<string>();
    const servers = new Set<string>();
    for (let place = 0; place < Math.min(this.list.count, MOST_LOOKED_AT); place++) {
      const head = this.store.head(this.list.indexAt(place));
      if (clients.size + servers.size >= MOST_PARTICIPANTS) break;
      clients.add(this.#clientOf(head));
      servers.add(serverOf(head));
    }
    this.#participants = [...clients, ...servers];
    return this.#participants;
  }

  arrow(head: MessageHead, row: Row): Arrow {
    const [client, server] = [this.#lineOf(this.#clientOf(head)), this.#lineOf(serverOf(head))];
    const { place, number, seconds, name, summary, isFromServer } = row;
    const [from, to] = isFromServer ? [server, client] : [client, server];
    return { place, number, seconds, from, to, name, summary, row };
  }

  #lineOf(participant: string): number | undefined {
    const index = this.#participants.indexOf(participant);
    return index < 0 ? undefined : index;
  }

  #clientOf({ conversation }: MessageHead): string {
    const player = this.#players.get(conversation);
    return player === undefined ? conversation.client.address : printable(player);
  }
}

function serverOf({ protocol }: MessageHead): string {
  return printable(protocol);
}
