import type { Direction, WiresharkCode, WiresharkData } from "moul-dissect/dissector";
import type { StructType, Type } from "moul-dissect/schema";
import { Hello } from "../classic/hello.js";
import { MsgExit } from "../classic/joining.js";
import { MsgLagPing } from "../classic/network.js";
import { PingCodeReply } from "../classic/ping.js";
import { addressee, playerId } from "../classic/player-id.js";
import { brokenPacket, inLink, UDPLinkDatagram, UDPLinkEnd } from "../classic/udp-link.js";
import { classicExchanges, multicast, newest, versions } from "../classic/versions.js";
import { MsgGetWorld, World } from "../classic/world.js";
import { ipv4, slotAndSalt, UnexpectedData } from "../fields.js";
import {
  ListServerEntries,
  ListServerEntries17d,
  ListServerHttpReply,
  ListServerHttpReply17d,
  ListServerResult,
  requests,
} from "../list/messages.js";
import type { Messages, MessageTable } from "../message-table.js";
import { code, content, message } from "../messages.js";
import { overUdp } from "../modern/datagram.js";
import { specialPlayers } from "../modern/fields.js";
import { ClientHello, ServerBan, ServerFarewell, ServerHello, ServerRefusal } from "../modern/hello.js";
import { PingCodeReply as ModernPingCodeReply } from "../modern/ping.js";
import { MODERN_PROTOCOL, modern, modernExchanges } from "../modern/tables.js";
import { World as ModernWorld } from "../modern/world.js";
import { pings } from "../pings.js";
import type { Exchanges } from "../replies.js";
import announcements from "./announcements.lua";
import codecs from "./codecs.lua";
import framing from "./framing.lua";
import listServer from "./list-server.lua";
import recognise from "./recognise.lua";
import session from "./session.lua";
import tcp from "./tcp.lua";
import udp from "./udp.lua";

/** A message, and its least length in bytes. */
function declared(type: StructType<unknown>): WiresharkData {
  return { type, least: type.struct.minimumWidth };
}

function byCode(table: MessageTable): WiresharkData {
  const special = [...table.ofLength].map(([length, type]): [number, WiresharkData] => [
    length,
    { ...{ type, least: type.struct.minimumWidth }, code: type.struct.tag ?? -1 },
  ]);
  return {
    byCode: new Map([...table.all()].map((type): [number, WiresharkData] => [type.struct.tag ?? -1, declared(type)])),
    ofLength: new Map(special),
    size: table.size,
  };
}

function bothWays({ c2s, s2c }: Messages): WiresharkData {
  return { c2s: byCode(c2s), s2c: byCode(s2c) };
}

/** The exchanges that messages are part of, by their codes. */
function exchanges(of: Exchanges, { c2s, s2c }: Messages): WiresharkData {
  const numbers = new Map<unknown, number>();
  const numbered = (direction: Direction, table: MessageTable) =>
    new Map(
      [...table.all()].flatMap((type): [number, number][] => {
        const exchange = of.of(direction, type);
        if (exchange === undefined || type.struct.tag === undefined) return [];
        const number = numbers.get(exchange) ?? numbers.size + 1;
        numbers.set(exchange, number);
        return [[type.struct.tag, number]];
      }),
    );
  return { c2s: numbered("c2s", c2s), s2c: numbered("s2c", s2c) };
}

function describedBy({ descriptor: { meaning } }: Type<unknown>): unknown {
  return meaning?.form === "text" || meaning?.form === "remark" ? meaning.describe : undefined;
}

const undeclaredMessage = message("UndeclaredMessage", 0, { undissected: content });

/** What Wireshark's plugin needs of BZFlag besides its declarations. */
export const wireshark: WiresharkCode = {
  codecs,
  modules: { announcements, framing, listServer, recognise, tcp, udp },
  session,
  labels: new Map<unknown, string>([
    [describedBy(ipv4), "ipv4"],
    [describedBy(code), "code"],
    [slotAndSalt, "shot"],
    [playerId.descriptor.struct?.label, "player"],
    [addressee.descriptor.struct?.label, "addressee"],
  ]),
  data: {
    versions: Object.fromEntries(
      versions.map(({ protocol, messages, assignsIds }) => [
        protocol,
        { protocol, assignsIds, messages: bothWays(messages), exchanges: exchanges(classicExchanges, messages) },
      ]),
    ),
    newest: newest.protocol,
    modern: {
      protocol: MODERN_PROTOCOL,
      messages: bothWays(modern),
      overUdp: bothWays(overUdp),
      exchanges: exchanges(modernExchanges, modern),
      special: specialPlayers,
    },
    multicast: byCode(multicast),
    pings: byCode(pings),
    isFixed: new Map(
      [...pings.all(), ...multicast.all()].map((type): [number, boolean] => [
        type.struct.tag ?? -1,
        type.struct.fields.every((field) => field.width > 0 || field.struct !== undefined),
      ]),
    ),
    pingReply: declared(PingCodeReply),
    modernPingReply: ModernPingCodeReply,
    undeclared: undeclaredMessage,
    unexpected: UnexpectedData,
    hello: Hello,
    greetings: {
      client: ClientHello,
      server: ServerHello,
      farewell: ServerFarewell,
      refusal: ServerRefusal,
      ban: ServerBan,
    },
    getWorld: MsgGetWorld.struct.tag ?? 0,
    worlds: { classic: World, modern: ModernWorld },
    lagPing: MsgLagPing.struct.tag ?? 0,
    link: {
      first: inLink(MsgExit, { isFirst: true, isLast: true }),
      next: inLink(MsgExit, { isFirst: false, isLast: true }),
      brokenFirst: inLink(brokenPacket, { isFirst: true, isLast: false }),
      brokenNext: inLink(brokenPacket, { isFirst: false, isLast: false }),
      brokenFirstLast: inLink(brokenPacket, { isFirst: true, isLast: true }),
      brokenNextLast: inLink(brokenPacket, { isFirst: false, isLast: true }),
      datagram: UDPLinkDatagram,
      finish: UDPLinkEnd,
    },
    list: {
      requests: Object.fromEntries(requests),
      result: ListServerResult,
      entries: ListServerEntries,
      entries17d: ListServerEntries17d,
      http: ListServerHttpReply,
      http17d: ListServerHttpReply17d,
    },
  },
};
