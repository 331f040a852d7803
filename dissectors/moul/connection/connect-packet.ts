import { bytes, derive, type StructType } from "moul-dissect/schema";
import { ConnectionType, ConnectPacket } from "../messages/connectPacket.js";
import { servers } from "../messages/index.js";
import { SimpleNet_Connect, SimpleNetChannel } from "../messages/simpleNet/simpleNet.js";

const typeNames: ReadonlyMap<number, string> = new Map(
  Object.entries(ConnectionType).map(([name, type]) => [type, name]),
);

/** Width in bytes of the header that all connect packets begin with, the connection type included. */
export const HEADER_BYTES = 31;

/** The connect packets to servers whose messages are declared, by connection type. */
export const connectPackets: ReadonlyMap<number, StructType<unknown>> = new Map(
  servers.map(({ connect }) => [connect.struct.tag ?? -1, connect]),
);

/** A connect packet whose data is not documented. */
const undocumentedPacket = derive("ConnectPacket", ConnectPacket, {
  data: bytes({ field: "dataByteCount", plus: -4 }).sensitive("unknown"),
});

/** The connect packets of connections that are not to one of the servers whose messages are declared. */
export const otherConnectPackets: readonly StructType<unknown>[] = [undocumentedPacket, SimpleNet_Connect];

/** Most bytes of data that a connect packet of an undocumented type may have; the largest known one has 36. */
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

/** True if the count of data bytes after the header is possible for a connection type. */
export function dataBytesFit(type: number, dataBytes: number): boolean {
  if (type === ConnectionType.SimpleNet) return dataBytes <= SimpleNetChannel.Max;
  const packet = connectPackets.get(type);
  if (packet !== undefined) return dataBytes === packet.struct.minimumWidth - HEADER_BYTES;
  return dataBytes >= 4 && dataBytes <= MOST_DATA;
}
