import {
  bytes,
  derive,
  enumeration,
  type Names,
  type StructType,
  struct,
  u8,
  uuid,
} from "../../../src/schema/index.js";
import { u16, u32 } from "../../../src/schema/little-endian.js";
import { accountUuid } from "../common/accountUuid.js";
import { ageInstanceUuid } from "../common/ageInstanceUuid.js";

/** What a client connects to. Source: specification "Connection types"; pnNetProtocol/pnNpCommon.h. */
export const ConnectionType = {
  Nil: 0,
  Debug: 1,
  CliToAuth: 10,
  CliToGame: 11,
  SrvToAgent: 12,
  SrvToMcp: 13,
  SrvToVault: 14,
  SrvToDb: 15,
  CliToFile: 16,
  SrvToState: 17,
  SrvToLog: 18,
  SrvToScore: 19,
  CliToCsr: 20,
  SimpleNet: 21,
  CliToGateKeeper: 22,
  AdminInterface: 97,
} as const satisfies Names;

const typeNames: ReadonlyMap<number, string> = new Map(
  Object.entries(ConnectionType).map(([name, type]) => [type, name]),
);

/** Width in bytes of the header that all connect packets begin with, the connection type included. */
export const HEADER_BYTES = 31;

const connectionType = enumeration(u8, ConnectionType);
const headerByteCount = u16.doc("Always 31: the connection type and this field included.");
const clientIdentity = {
  clientBuildId: u32.inSummary(),
  clientBuildType: u32.doc("10 for Dev, 20 for QA, 30 for Test, 40 for Beta, 50 for Live."),
  clientBranchId: u32,
  clientProductUuid: uuid,
};

/**
 * Header of the first packet that a client sends. Source: specification "Connect packet"; corrections section 3 (what
 * the counts include).
 */
const connectHeader = struct("ConnectPacket", {
  connectionType,
  headerByteCount,
  ...clientIdentity,
  dataByteCount: u32.doc("Bytes of the data that follows, this field included."),
});

/** Begins a connection to the gatekeeper server. Source: pnNetProtocol/pnNpCli2GateKeeper.h. */
const Cli2GateKeeper_Connect = derive(
  "Cli2GateKeeper_Connect",
  connectHeader,
  { token: uuid.sensitive("token").standsFor("login") },
  { tag: ConnectionType.CliToGateKeeper },
);

/** Begins a connection to the auth server. Source: pnNetProtocol/pnNpCli2Auth.h. */
const Cli2Auth_Connect = derive(
  "Cli2Auth_Connect",
  connectHeader,
  {
    token: uuid
      .sensitive("token")
      .doc("What an Auth2Cli_ServerAddr message gave the client, else zeros.")
      .standsFor("login"),
  },
  { tag: ConnectionType.CliToAuth },
);

/** Begins a connection to the file server. Source: pnNetProtocol/pnNpCli2File.h. */
const Cli2File_Connect = derive(
  "Cli2File_Connect",
  connectHeader,
  {
    realBuildId: u32.inSummary().doc("Build ID; that of the header is 0 for the file server."),
    serverType: u32,
  },
  { tag: ConnectionType.CliToFile },
);

/** Begins a connection to the game server. Source: pnNetProtocol/pnNpCli2Game.h. */
const Cli2Game_Connect = derive(
  "Cli2Game_Connect",
  connectHeader,
  { accountUuid, ageUuid: ageInstanceUuid },
  { tag: ConnectionType.CliToGame },
);

/** Begins a connection to the customer service server. Source: Cli2Csr/pnNpCli2Csr.h (2011). */
const Cli2Csr_Connect = derive("Cli2Csr_Connect", connectHeader, {}, { tag: ConnectionType.CliToCsr });

/** The connect packets to servers whose messages are declared, by connection type. */
export const connectPackets: ReadonlyMap<number, StructType<unknown>> = new Map(
  [Cli2GateKeeper_Connect, Cli2Auth_Connect, Cli2File_Connect, Cli2Game_Connect, Cli2Csr_Connect].map(
    (packet): [number, StructType<unknown>] => [packet.struct.tag ?? -1, packet],
  ),
);

/** A connect packet whose data is not documented. */
const undocumentedPacket = derive("ConnectPacket", connectHeader, {
  data: bytes({ field: "dataByteCount", plus: -4 }).sensitive("unknown"),
});

/** Has no count of its data. Source: specification "Connection types"; pnSimpleNet/pnSimpleNet.h (2011). */
const SimpleNet_Connect = struct("SimpleNet_Connect", {
  connectionType,
  headerByteCount,
  ...clientIdentity,
  channelId: enumeration(u32, { Nil: 0, Csr: 1, Max: 2 }),
});

/** The connect packets behind which nothing is declared. */
export const otherConnectPackets: readonly StructType<unknown>[] = [undocumentedPacket, SimpleNet_Connect];

/** Bytes of data that a connect packet of an undocumented type may have; the largest known one has 36. */
const MOST_DATA = 256;

/** The declaration of a connect packet by its connection type; undefined for a type that does not exist. */
export function connectPacketOf(type: number): StructType<unknown> | undefined {
  if (type === ConnectionType.SimpleNet) return SimpleNet_Connect;
  if (type === ConnectionType.Nil) return undefined;
  return connectPackets.get(type) ?? (typeNames.has(type) ? undocumentedPacket : undefined);
}

/** Name of a connection type: "SrvToVault". */
export function connectionTypeName(type: number): string {
  return typeNames.get(type) ?? `type ${type}`;
}

/** Tells whether the count of data bytes behind the header can be that of a connection type. */
export function dataBytesFit(type: number, dataBytes: number): boolean {
  if (type === ConnectionType.SimpleNet) return dataBytes <= 2;
  const packet = connectPackets.get(type);
  if (packet !== undefined) return dataBytes === packet.struct.minimumWidth - HEADER_BYTES;
  return dataBytes >= 4 && dataBytes <= MOST_DATA;
}
