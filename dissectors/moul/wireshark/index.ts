import type { WiresharkCode } from "moul-dissect/dissector";
import type { StructType, Type } from "moul-dissect/schema";
import { plLocation } from "../common/pnKeyedObject/plLocation.js";
import { ipv4 } from "../common/values/ipv4.js";
import { unixTime } from "../common/values/unixTime.js";
import { connectPackets, HEADER_BYTES } from "../connection/connect-packet.js";
import { namedInReplies, namesInRequests } from "../connection/context/joint-names.js";
import { Cli2Srv_Connect, Srv2Cli_Encrypt, Srv2Cli_Error } from "../connection/setup-packets.js";
import { servers } from "../messages/index.js";
import type { MessageTable } from "../messages/messageTable.js";
import { knownTitles } from "../messages/vault/namedFields.js";
import { engineRecordTypes, SdlDescriptors } from "../sdl/descriptors.js";
import codecs from "./codecs.lua";
import games from "./games.lua";
import labels from "./labels.lua";
import names from "./names.lua";
import sdl from "./sdl.lua";
import session from "./session.lua";

/** How a number is described. */
function described({ descriptor }: Pick<Type<unknown>, "descriptor">): unknown {
  const { meaning } = descriptor;
  return meaning?.form === "text" || meaning?.form === "remark" ? meaning.describe : undefined;
}

function sequenceNumber(): unknown {
  const descriptor = plLocation.struct.descriptors.get("sequenceNumber");
  return descriptor && described({ descriptor });
}

function entries(table: MessageTable): [number, StructType<unknown>][] {
  return [...table.messages()].map((type) => [type.struct.tag ?? -1, type]);
}

const undeclared = (table: MessageTable) =>
  new Map([...table.undeclaredMessages()].map(({ type, name, reason }) => [type, { name, reason }]));

/** What Wireshark's plugin needs of MOUL besides its declarations. */
export const wireshark: WiresharkCode = {
  codecs,
  modules: { twins: labels, nameTwins: names, sdl, games },
  session,
  labels: new Map([
    [described(ipv4), "ipv4"],
    [described(unixTime), "time"],
    [sequenceNumber(), "sequenceNumber"],
  ]),
  data: {
    servers: servers.map((server) => ({
      protocol: server.protocol,
      framed: server.begin === "length",
      encrypted: server.isEncrypted,
      connection: connectionOf(server.connect),
      c2s: new Map(entries(server.c2s)),
      s2c: new Map(entries(server.s2c)),
      names: { c2s: prefixOf(server.c2s), s2c: prefixOf(server.s2c) },
      undeclared: { c2s: undeclared(server.c2s), s2c: undeclared(server.s2c) },
    })),
    setup: {
      c2s: new Map([[0, Cli2Srv_Connect]]),
      s2c: new Map<number, StructType<unknown>>([
        [1, Srv2Cli_Encrypt],
        [2, Srv2Cli_Error],
      ]),
    },
    parts: { Auth2Cli_FileDownloadChunk: true, File2Cli_ManifestReply: true, File2Cli_FileDownloadReply: true },
    receipts: {
      Cli2Auth_FileDownloadChunkAck: true,
      Cli2File_ManifestEntryAck: true,
      Cli2File_FileDownloadChunkAck: true,
    },
    ofGames: { Cli2Game_GameMgrMsg: true, Game2Cli_GameMgrMsg: true },
    titles: knownTitles(),
    // The fields of requests that name what their replies give the number of.
    naming: Object.fromEntries(
      Array.from(namesInRequests.keys(), ({ struct }) => [
        struct.name,
        struct.descriptors.has("nodeData") ? "nodeData" : "accountName",
      ]),
    ),
    named: Object.fromEntries(Array.from(namedInReplies, ([{ struct }, named]) => [struct.name, { ...named }])),
    records: Object.fromEntries(engineRecordTypes()),
  },
  settings: (settings) => ({
    records: Object.fromEntries(settings instanceof SdlDescriptors ? settings.recordTypes() : []),
  }),
  prelude: `
data.connections = {}
for _, server in ipairs(data.servers) do
  server.connection.server = server
  data.connections[server.connection.type] = server.connection
end`,
};

function connectionOf(connect: StructType<unknown>) {
  const [type = -1] = [...connectPackets].find(([, packet]) => packet === connect) ?? [];
  const bytes = connect.struct.minimumWidth;
  return { type, connect, bytes, data: bytes - HEADER_BYTES };
}

function prefixOf(table: MessageTable): string {
  const [first] = table.messages();
  return first?.struct.name.split("_")[0] ?? "Message";
}
