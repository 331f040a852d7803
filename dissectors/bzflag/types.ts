import { directions, type ProtocolMessages } from "moul-dissect/dissector";
import { polymorphic, type StructType, type Type } from "moul-dissect/schema";
import { Hello } from "./classic/hello.js";
import { MsgAddPlayer } from "./classic/joining.js";
import { brokenPacket, inLink, UDPLinkDatagram, UDPLinkEnd } from "./classic/udp-link.js";
import { multicast, newest, versions } from "./classic/versions.js";
import { blocks, World, worldBlocks } from "./classic/world.js";
import {
  LIST_PROTOCOL,
  ListServerEntries,
  ListServerEntries17d,
  ListServerHttpReply,
  ListServerHttpReply17d,
  ListServerResult,
  requests,
} from "./list/messages.js";
import type { Messages } from "./message-table.js";
import { ClientHello, ServerBan, ServerFarewell, ServerHello, ServerRefusal } from "./modern/hello.js";
import { WorldDatabase } from "./modern/map/database.js";
import { PingCodeReply as ModernPingCodeReply } from "./modern/ping.js";
import { MODERN_PROTOCOL, modern } from "./modern/tables.js";
import { World as ModernWorld } from "./modern/world.js";
import { PING_PROTOCOL, pings } from "./pings.js";

/**
 * Messages by name: those that look the same both ways by their own name, others with the direction appended:
 * "MsgAlive.c2s".
 *
 * @param prefix of all names
 */
function named(messages: Messages, prefix: string): [string, Type<unknown>][] {
  return directions.flatMap((direction) => {
    const other = [...messages[direction === "c2s" ? "s2c" : "c2s"].all()];
    const isAmbiguous = (type: StructType<unknown>) =>
      other.some((candidate) => candidate !== type && candidate.struct.name === type.struct.name);
    return [...messages[direction].all()].map((type): [string, Type<unknown>] => [
      `${prefix}${type.struct.name}${isAmbiguous(type) ? `.${direction}` : ""}`,
      type,
    ]);
  });
}

function byName(types: Iterable<StructType<unknown>>, prefix = ""): [string, Type<unknown>][] {
  return [...types].map((type) => [prefix + type.struct.name, type]);
}

/** A message alone in its datagram, with the whole envelope. */
function alone(type: StructType<unknown>): StructType<unknown> {
  return inLink(type, { isFirst: true, isLast: true });
}

/** The messages as they travel over UDP. */
export function linkForms(): StructType<unknown>[] {
  const types = versions.flatMap(({ messages: { c2s, s2c } }) => [...c2s.all(), ...s2c.all()]);
  return [...new Set(types)].map(alone);
}

/** A message of which only the envelope is known; declared so that the envelope has a name. */
const linkPacket = alone(brokenPacket);
const linkTypes = [UDPLinkDatagram, linkPacket, UDPLinkEnd];

const replies = [ListServerResult, ListServerEntries, ListServerHttpReply];

/**
 * What clients and servers send, by protocol; the newest 1.7 version comes first, as it has every message of the
 * others.
 */
export const messages: ReadonlyMap<string, ProtocolMessages> = new Map<string, ProtocolMessages>([
  ...[...versions]
    .reverse()
    .map(({ protocol, messages: { c2s, s2c } }): [string, ProtocolMessages] => [
      protocol,
      { c2s: [...c2s.all(), ...multicast.all(), ...linkTypes], s2c: [Hello, World, ...s2c.all(), ...linkTypes] },
    ]),
  [
    MODERN_PROTOCOL,
    {
      c2s: [ClientHello, ...modern.c2s.all()],
      s2c: [ServerHello, ServerFarewell, ServerRefusal, ServerBan, ModernWorld, ...modern.s2c.all()],
    },
  ],
  // Ports do not show which side asks and which one answers.
  [PING_PROTOCOL, { c2s: [...pings.all(), ModernPingCodeReply], s2c: [...pings.all(), ModernPingCodeReply] }],
  [LIST_PROTOCOL, { c2s: [...requests.values()], s2c: replies }],
]);

/** Every declared type by name; those of the modern protocol begin with "0221.". */
export const types: ReadonlyMap<string, Type<unknown>> = new Map<string, Type<unknown>>([
  ...byName([Hello, World]),
  // Blocks are read with their code before them.
  ...blocks.map((block): [string, Type<unknown>] => [block.struct.name, polymorphic(worldBlocks, block)]),
  ...named(newest.messages, ""),
  ["MsgAddPlayer.17d", MsgAddPlayer],
  ...byName(multicast.all()),
  ...byName(pings.all()),
  ...byName(linkTypes),
  ...byName([...requests.values(), ...replies]),
  ["ListServerEntries.17d", ListServerEntries17d],
  ["ListServerHttpReply.17d", ListServerHttpReply17d],
  ...byName([ClientHello, ServerHello, ServerBan, ServerFarewell, ServerRefusal], "0221."),
  ...byName([ModernWorld, WorldDatabase, ModernPingCodeReply], "0221."),
  ...named(modern, "0221."),
]);
