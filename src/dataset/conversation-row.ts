import type { StreamFacts } from "../stats/index.js";
import { instantOf } from "./message-row.js";
import type { Row } from "./table.js";

/** Returns the row of a conversation that is over. */
export function conversationRow(capture: string, facts: Omit<StreamFacts, "isTimed">): Row {
  const { conversation, closed, closedBy, protocol, encryption, key, c2s, s2c } = facts;
  const { stream, transport, client, server, first, last, packets } = conversation;
  return {
    capture,
    stream: BigInt(stream),
    transport,
    client_address: client.address,
    client_port: client.port,
    server_address: server.address,
    server_port: server.port,
    protocol,
    encryption,
    key,
    start: instantOf(first),
    end: instantOf(last),
    closed,
    closed_by: closedBy,
    c2s_packets: BigInt(packets.c2s),
    c2s_bytes: BigInt(c2s.bytes),
    c2s_missing: BigInt(c2s.missing),
    c2s_gaps: BigInt(c2s.gapCount),
    s2c_packets: BigInt(packets.s2c),
    s2c_bytes: BigInt(s2c.bytes),
    s2c_missing: BigInt(s2c.missing),
    s2c_gaps: BigInt(s2c.gapCount),
  };
}
