import { enumeration, type Names, struct, u8, uuid } from "moul-dissect/schema";
import { u16, u32 } from "moul-dissect/schema/little-endian";

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

/** What all connect packets begin with. Source: specification "Connect packet"; pnNetProtocol/pnNpCommon.h. */
export const clientIdentity = {
  connectionType: enumeration(u8, ConnectionType),
  headerByteCount: u16.doc("Always 31: the connection type and this field included."),
  clientBuildId: u32.inSummary(),
  clientBuildType: u32.doc("10 for Dev, 20 for QA, 30 for Test, 40 for Beta, 50 for Live."),
  clientBranchId: u32,
  clientProductUuid: uuid,
};

/**
 * Header of the first packet that a client sends. Source: specification "Connect packet"; corrections section 3 (what
 * the counts include).
 */
export const ConnectPacket = struct("ConnectPacket", {
  ...clientIdentity,
  dataByteCount: u32.doc("Bytes of the data that follows, this field included."),
});
