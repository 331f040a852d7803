import { derive, uuid } from "moul-dissect/schema";
import { ConnectionType, ConnectPacket } from "../connectPacket.js";

/**
 * Begins a connection to the gatekeeper server. Source: specification "Connection types";
 * pnNetProtocol/pnNpCli2GateKeeper.h.
 */
export const Cli2GateKeeper_Connect = derive(
  "Cli2GateKeeper_Connect",
  ConnectPacket,
  { token: uuid.sensitive("token").standsFor("login") },
  { tag: ConnectionType.CliToGateKeeper },
);
