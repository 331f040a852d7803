import type { Party, StateMessage } from "moul-dissect/dissector";
import type { FieldTree } from "moul-dissect/schema";
import { playerIdText } from "../classic/player-id.js";
import { specialPlayers } from "../modern/fields.js";
import { RecentMap } from "../recent-map.js";

/** A message whose fields are known. */
export interface ReadMessage extends StateMessage {
  readonly nodes: FieldTree;
}

/** A server has a few hundred players at most; recordings of many servers have more. */
const MOST_CLIENTS = 10_000;

/**
 * Players, by their call signs: those are the same for all clients of a server, unlike the ids, which a client of the
 * 1.7 protocol may have chosen itself.
 */
export class Players {
  readonly #own = new RecentMap<string>(MOST_CLIENTS);

  /** The client of a message's conversation has this call sign. */
  joins({ conversation }: ReadMessage, callsign: string): void {
    this.#own.set(String(conversation.stream), callsign);
  }

  /** Who plays in the conversation of a message. */
  own({ conversation }: ReadMessage): Party {
    const { stream } = conversation;
    return called(this.#own.get(String(stream)) ?? `the client of stream ${stream}`);
  }

  /** True if that player has this call sign. */
  isOwn({ conversation }: ReadMessage, callsign: string): boolean {
    return this.#own.get(String(conversation.stream)) === callsign;
  }
}

export function called(callsign: string): Party {
  return { kind: "player", id: callsign, name: callsign };
}

/** The player, or group of players, that a field of a message stands for. */
export function playerIn(nodes: FieldTree, name: string): Party | undefined {
  const node = nodes.child(0, name);
  if (node < 0) return undefined;
  const id = nodes.value(node);
  return called(nodes.names?.get("player", String(id)) ?? idText(id));
}

function idText(id: ReturnType<FieldTree["value"]>): string {
  if (id instanceof Uint8Array) return playerIdText(id);
  return specialPlayers.get(Number(id)) ?? `player ${id}`;
}
