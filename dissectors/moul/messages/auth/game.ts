import { message } from "../message.js";
import { propagatedBuffer } from "../propagateBuffer.js";

/**
 * Brings a plNetMessage to the server; not in use. Source: auth_server "PropagateBuffer";
 * pnNetProtocol/pnNpCli2Auth.cpp.
 */
export const Cli2Auth_PropagateBuffer = message("Cli2Auth_PropagateBuffer", 40, propagatedBuffer);

/** Brings a plNetMessage to the client; not in use. Source: auth_server "PropagateBuffer". */
export const Auth2Cli_PropagateBuffer = message("Auth2Cli_PropagateBuffer", 38, propagatedBuffer);
