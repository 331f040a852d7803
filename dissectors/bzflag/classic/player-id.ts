import { type NameBinding, reference, type StructOptions, struct, viewOf } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/big-endian";
import { dotted, ipv4 } from "../fields.js";

const PLAYER = "player";

/** "127.0.0.1:5156 #0" */
export function playerIdText(id: Uint8Array): string {
  const view = viewOf(id);
  return `${dotted(view.getUint32(0))}:${view.getUint16(4)} #${view.getUint16(6)}`;
}

/** @param zero the label of an id that is all zero */
function labelled(zero: string): NonNullable<StructOptions["label"]> {
  return (nodes, node) => {
    const id = nodes.value(node);
    if (!(id instanceof Uint8Array) || id.length < 8) return undefined;
    if (id.every((byte) => byte === 0)) return zero;
    return nodes.names?.get(PLAYER, String(id)) ?? playerIdText(id);
  };
}

const members = { host: ipv4, port: u16, number: u16 };

/**
 * A player. Up to 107d the id is chosen by the client: address of the server, reconnect port, number among the players
 * of this client. From 1.7e4 on the server assigns it: address and port of the client, number of the slot. All zero:
 * nobody, or everybody. Source: facts, section 2, "Player id".
 */
export const playerId = reference(struct("PlayerId", members, { label: labelled("nobody") }), PLAYER);

/** A player to whom something is said. */
export const addressee = reference(struct("PlayerId", members, { label: labelled("everybody") }), PLAYER);

/** A server in the form of a player id. Source: facts, section 8. */
export const serverId = struct("ServerId", members);

/** What a struct declares if it gives the call sign of a player. */
export function namesPlayer(id: string, { provisional = false } = {}): NameBinding {
  return { kind: PLAYER, id, name: "callsign", provisional };
}
