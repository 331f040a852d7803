import type { Direction, Window } from "moul-dissect/dissector";
import { Decoder, Extent } from "moul-dissect/schema";
import { headAt, type Messages, MessageTable } from "../message-table.js";
import { MsgGameTime, MsgLagPing, MsgUDPLinkAnswer, MsgUDPLinkEstablished, MsgUDPLinkRequest } from "./game.js";
import { MsgGMUpdate, MsgShotBegin, MsgShotEnd } from "./shots.js";
import { MsgPlayerUpdate, MsgPlayerUpdateSmall } from "./tanks.js";

const ofPlayers = [MsgPlayerUpdate, MsgPlayerUpdateSmall, MsgShotBegin, MsgShotEnd, MsgGMUpdate];

/** What travels over UDP. Source: src/bzflag/ServerLink.cxx of 2.4 (`send`); src/game/NetHandler.cxx of 2.4 (`pwrite`). */
export const overUdp: Messages = {
  c2s: new MessageTable([...ofPlayers, MsgUDPLinkRequest, MsgUDPLinkEstablished]),
  s2c: new MessageTable([...ofPlayers, MsgUDPLinkAnswer, MsgLagPing, MsgGameTime]),
};

const decoder = new Decoder();

/**
 * True if a datagram consists of whole messages that travel over UDP, from its first byte to its last. One is enough:
 * its two letters, and a length that fits both the message and the available bytes.
 */
export function isModernDatagram(direction: Direction, window: Window): boolean {
  let start = window.start;
  while (start < window.end) {
    const head = headAt({ ...window, start });
    const type = head && overUdp[direction].declared(head);
    if (head === undefined || type === undefined || start + head.length > window.end) return false;
    decoder.decode(type, { ...window, start, end: start + head.length }, Extent.Exact);
    if (decoder.nodes.outcome !== "ok") return false;
    start += head.length;
  }
  return start > window.start;
}
