import {
  type ConversationDissector,
  type ConversationHandle,
  type Direction,
  type MessagePlace,
  type Step,
  unencrypted,
  type Window,
} from "moul-dissect/dissector";
import type { DecodedTree, StructType } from "moul-dissect/schema";
import { Announcements } from "../announcements.js";
import { LagPings } from "../lag-pings.js";
import { headAt, messageStep, remarkUndeclared } from "../message-table.js";
import { HEADER_BYTES } from "../messages.js";
import { PING_PROTOCOL, pingStep } from "../pings.js";
import { MsgLagPing } from "./network.js";
import { brokenPacket, inLink, LINK_MARKER, packetAt, UDPLinkDatagram, UDPLinkEnd, withoutLink } from "./udp-link.js";
import { multicast, newest, type Version } from "./versions.js";

/** Where a direction is: at the beginning of a datagram, or inside one of this kind. */
type Phase = "begin" | "link" | "plain";

/**
 * Datagrams: those of a UDP link, and those that are multicast or broadcast, which hold one message each.
 * Source: facts, section 2 (UDP link, plain UDP message) and section 8 (pings).
 */
export class UdpConversation implements ConversationDissector {
  readonly encryptionState = unencrypted;
  /** That of the last message: pings and multicasts of players may use the same ports. */
  protocol: string;
  readonly nameScope?: string;
  readonly #version: Version;
  readonly #phase: Record<Direction, Phase> = { c2s: "begin", s2c: "begin" };

  constructor(
    readonly handle: ConversationHandle,
    version: Version | undefined,
  ) {
    const announcements = Announcements.in(handle.shared);
    const owner = announcements.linkOwner(handle.client);
    this.#version = version ?? owner?.version ?? versionOfPlayer(handle, announcements) ?? newest;
    this.protocol = this.#version.protocol;
    if (owner?.nameScope !== undefined) this.nameScope = owner.nameScope;
  }

  datagram(direction: Direction): void {
    this.#phase[direction] = "begin";
  }

  next(direction: Direction, window: Window): Step {
    const { view, start, end } = window;
    const phase = this.#phase[direction];
    const isFirst = phase === "begin";
    if (isFirst) this.#phase[direction] = end - start >= 2 && view.getUint16(start) === LINK_MARKER ? "link" : "plain";
    return this.#phase[direction] === "link" ? this.#linkStep(direction, window, isFirst) : this.#plainStep(window);
  }

  #linkStep(direction: Direction, window: Window, isFirst: boolean): Step {
    const empty = UDPLinkDatagram.struct.minimumWidth;
    if (isFirst && window.end - window.start <= empty) return { step: "message", type: UDPLinkDatagram, length: empty };
    const packet = packetAt(window, { isFirst });
    if (packet === undefined) return { step: "message", type: UDPLinkEnd, length: UDPLinkEnd.struct.minimumWidth };
    const type = packet.head && this.#version.messages[direction].typeOf(packet.head);
    return { step: "message", type: inLink(type ?? brokenPacket, packet), length: packet.length };
  }

  /** Pings and multicasts of players; anything else is read as what a client may also send over TCP. */
  #plainStep(window: Window): Step {
    const ping = pingStep(window);
    this.protocol = ping === undefined ? this.#version.protocol : PING_PROTOCOL;
    if (ping !== undefined) return ping;
    const head = headAt(window);
    const isMulticast = head !== undefined && multicast.declared(head) !== undefined;
    return messageStep(isMulticast ? multicast : this.#version.messages.c2s, window);
  }

  decoded(direction: Direction, type: StructType<unknown>, nodes: DecodedTree, place: MessagePlace): void {
    const inner = withoutLink(type);
    const { nameScope } = this;
    if (inner === MsgLagPing && nameScope !== undefined) {
      LagPings.in(this.handle.shared).decoded(nameScope, direction, inner, nodes, place);
    } else if (inner === brokenPacket) {
      const node = nodes.child(nodes.child(0, "udpFrame"), "packetLen");
      nodes.note("malformed", "error", Math.max(node, 0), "is not the length of the message in the packet");
    } else remarkUndeclared(inner, nodes, this.protocol);
  }
}

/** The version of the player whose id comes first in a multicast. */
function versionOfPlayer(handle: ConversationHandle, announcements: Announcements): Version | undefined {
  const datagram = handle.pending("c2s");
  if (datagram.length < HEADER_BYTES + 6) return undefined;
  const host = datagram.subarray(HEADER_BYTES, HEADER_BYTES + 4);
  const port = ((datagram[HEADER_BYTES + 4] ?? 0) << 8) | (datagram[HEADER_BYTES + 5] ?? 0);
  return announcements.versionOfPlayer({ address: host.join("."), port });
}
