import type { Party, StateEvent } from "moul-dissect/dissector";
import { nodeOf, partyOf, playerIn, type ReadMessage } from "./message-reader.js";

/** Bits of pfKIMsg.flags, in the order in which they name a channel. Source: pfMessage/pfKIMsg.h, Flags. */
const CHANNELS = [
  [1 << 0, "private"],
  [1 << 5, "neighbors"],
  [1 << 3, "inter-age"],
  [1 << 2, "global"],
  [1 << 4, "status"],
] as const;

/** The command of a pfKIMsg that is a chat message: kHACKChatMsg. */
const CHAT = 0;

/** A chat message: pfKIMsg in a plNetMsgGameMessage. */
export function chatIn(message: ReadMessage): StateEvent[] {
  const { nodes, direction } = message;
  const said = nodeOf(nodes, "pfKIMsg");
  if (said < 0 || nodes.numberIn(said, "command") !== CHAT) return [];
  const envelope = nodeOf(nodes, "plNetMsgGameMessage");
  const id = nodes.numberIn(said, "senderKiNumber") ?? 0;
  const name = nodes.textIn(said, "senderName");
  const from: Party = { ...partyOf(nodes, "player", id), ...(name !== undefined && { name }) };
  const text = nodes.textIn(said, "messageText") ?? "";
  const flags = nodes.numberIn(said, "flags") ?? 0;
  const channel = CHANNELS.find(([bit]) => (flags & bit) !== 0)?.[1] ?? "age";
  const key = `${from.id} ${channel} ${text}`;
  return [{ kind: "chat", from, to: receiversIn(nodes, envelope), channel, text, isRelayed: direction === "s2c", key }];
}

/** The players to whom a directed message goes. */
function receiversIn(nodes: ReadMessage["nodes"], envelope: number): Party[] {
  const list = envelope < 0 ? -1 : nodes.child(envelope, "receivers");
  if (list < 0) return [];
  const found: Party[] = [];
  for (let node = list + 1; node < nodes.nextOf(list); node = nodes.nextOf(node)) {
    found.push(partyOf(nodes, "player", nodes.number(node)));
  }
  return found;
}

/** Who has sent a net message, as it says itself. */
export function senderIn(nodes: ReadMessage["nodes"], envelope: number): Party | undefined {
  return envelope < 0 ? undefined : playerIn(nodes, envelope, "playerId");
}
