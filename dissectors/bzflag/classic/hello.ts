import { remarked, struct, text } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/big-endian";

/**
 * What a server says on its public port, without a header; the client says nothing and comes back on the reconnect port.
 * Source: facts, section 2, "hello"; facts, section 9, item 7.
 */
export const Hello = struct("Hello", {
  version: text(8).public().doc("The first seven characters give the protocol, the eighth its revision.").inSummary(),
  reconnectPort: remarked(u16, (port) => (port === 0 ? "refused" : undefined))
    .doc("Port to which the client is to connect next; 0: refused (no slot, address banned, game over).")
    .inSummary(),
});
