import type { StreamFacts } from "../stats/index.js";
import { instantOf } from "./message-row.js";
import type { Row } from "./table.js";

/** Returns the row of a conversation that is over. */
export function conversationRow(facts: Omit<StreamFacts, "isTimed">): Row {
  const { conversation, closed, closedBy, protocol, encryption, key, c2s, s2c } = facts;
  const { stream, transport, client, server, first, last, packets } = conversation;
  return {
    stream,
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
    c2s_packets: packets.c2s,
    c2s_bytes: c2s.bytes,
    c2s_missing: c2s.missing,
    c2s_gaps: c2s.gapCount,
    s2c_packets: packets.s2c,
    s2c_bytes: s2c.bytes,
    s2c_missing: s2c.missing,
    s2c_gaps: s2c.gapCount,
  };
}
