import type { StateEvent } from "moul-dissect/dissector";
import type { FieldTree } from "moul-dissect/schema";
import { TeamColor } from "../enums.js";
import { specialPlayers } from "../modern/fields.js";
import { type Players, playerIn, type ReadMessage } from "./players.js";

/** A chat message, from a client or passed on by the server, which passes on private ones to everybody, too. */
export function chatIn(message: ReadMessage, players: Players): StateEvent[] {
  const { nodes, direction } = message;
  const isRelayed = direction === "s2c";
  const from = isRelayed ? playerIn(nodes, "from") : players.own(message);
  const text = nodes.textIn(0, "text");
  if (from === undefined || text === undefined) return [];
  const channel = channelOf(nodes);
  const receiver = channel === "private" ? playerIn(nodes, "to") : undefined;
  const to = receiver === undefined ? [] : [receiver];
  const key = `${from.id} ${channel} ${receiver?.id ?? ""} ${text}`;
  return [{ kind: "chat", from, to, channel, text, isRelayed, key }];
}

/** To everybody, to a team (by its name), or to one player. */
function channelOf(nodes: FieldTree): string {
  const to = nodes.child(0, "to");
  const id = to < 0 ? undefined : nodes.value(to);
  if (!(id instanceof Uint8Array)) return specialPlayers.get(Number(id)) ?? "private";
  if (id.some((byte) => byte !== 0)) return "private";
  const team = nodes.numberIn(0, "team");
  const [name] = Object.entries(TeamColor).find(([, number]) => number === team) ?? [];
  return name === undefined || team === TeamColor.RogueTeam ? "all players" : name;
}
