import { derive, enumeration, type Names, type StructType, struct, u8, uuid } from "../../../src/schema/index.js";
import { u16, u32 } from "../../../src/schema/little-endian.js";

/** What a client connects to. Source: specification "Connection types"; pnNetBase/pnNbSrvs.h. */
export const ConnectionType: Names = {
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
};

/** Width in bytes of the header that all connect packets begin with, the connection type included. */
export const HEADER_BYTES = 31;

/**
 * Header of the first packet that a client sends. Source: specification "Connect packet"; corrections section 3 (what
 * the counts include).
 */
const connectHeader = struct("ConnectPacket", {
  connectionType: enumeration(u8, ConnectionType),
  headerByteCount: u16.doc("Always 31: the connection type and this field included."),
  clientBuildId: u32,
  clientBuildType: u32,
  clientBranchId: u32,
  clientProductUuid: uuid,
  dataByteCount: u32.doc("Bytes of the data that follows, this field included."),
});

const Cli2GateKeeper_Connect = derive("Cli2GateKeeper_Connect", connectHeader, { token: uuid }, { tag: 22 });

const Cli2Auth_Connect = derive(
  "Cli2Auth_Connect",
  connectHeader,
  { token: uuid.doc("What an Auth2Cli_ServerAddr message gave the client, else zeros.") },
  { tag: 10 },
);

const Cli2File_Connect = derive(
  "Cli2File_Connect",
  connectHeader,
  {
    realBuildId: u32.doc("Build ID; that of the header is 0 for the file server."),
    serverType: u32,
  },
  { tag: 16 },
);

const Cli2Game_Connect = derive("Cli2Game_Connect", connectHeader, { accountUuid: uuid, ageUuid: uuid }, { tag: 11 });

const Cli2Csr_Connect = derive("Cli2Csr_Connect", connectHeader, {}, { tag: 20 });

/** The connect packets with a known layout, by connection type. */
export const connectPackets: ReadonlyMap<number, StructType<unknown>> = new Map(
  [Cli2GateKeeper_Connect, Cli2Auth_Connect, Cli2File_Connect, Cli2Game_Connect, Cli2Csr_Connect].map(
    (packet): [number, StructType<unknown>] => [packet.struct.tag ?? -1, packet],
  ),
);

/** What the data byte count of a connect packet has to be. */
export function dataBytesOf(packet: StructType<unknown>): number {
  return packet.struct.minimumWidth - HEADER_BYTES;
}
