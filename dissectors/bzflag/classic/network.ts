import { u16 } from "moul-dissect/schema/big-endian";
import { content, message } from "../messages.js";

/** How messages travel. Source: facts, section 2 and section 4. */

/** To the server: relay over this connection what the others multicast. To the client: do not multicast. */
export const MsgNetworkRelay = message("MsgNetworkRelay", "nr", {});

/** Raises the time to live of multicast packets. */
export const MsgSetTTL = message("MsgSetTTL", "tt", { ttl: u16.inSummary() });

/** Asks for a sign of life, or gives it: the client returns the number. Only while the player is alive; from 1.7e6. */
export const MsgLagPing = message("MsgLagPing", "pi", {
  seqno: u16.doc("1 to 9999, then again from 0.").inSummary(),
});

/** The UDP port of the sender. From 1.7e1 on. */
export const MsgUDPLinkRequest = message("MsgUDPLinkRequest", "of", { port: u16.inSummary() });

export const MsgUDPLinkEstablished = message("MsgUDPLinkEstablished", "og", { seqno: u16.doc("Always 0.") });

/** Defined, but no program sends it. */
export const MsgUDPLinkUpdate = message("MsgUDPLinkUpdate", "oh", { seqno: u16 });

/** Accepted and ignored by servers; its layout is not defined. */
export const MsgServerControl = message("MsgServerControl", "oi", { data: content.sensitive("unknown") });
