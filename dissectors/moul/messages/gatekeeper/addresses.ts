import { bool } from "moul-dissect/schema";
import { message, netString, transactionId } from "../message.js";

const address = netString.sensitive("ip-address").doc("IP address, or a host name that a port may follow.").inSummary();

/**
 * Asks where the file server is. Source: gatekeeper_server "FileSrvIpAddressRequest";
 * pnNetProtocol/pnNpCli2GateKeeper.cpp.
 */
export const Cli2GateKeeper_FileSrvIpAddressRequest = message("Cli2GateKeeper_FileSrvIpAddressRequest", 1, {
  transactionId,
  isPatcher: bool.doc("True if the launcher asks, false if the game does.").inSummary(),
});

/**
 * Says where the file server is. Source: gatekeeper_server "FileSrvIpAddressReply";
 * pnNetProtocol/pnNpCli2GateKeeper.cpp.
 */
export const GateKeeper2Cli_FileSrvIpAddressReply = message("GateKeeper2Cli_FileSrvIpAddressReply", 1, {
  transactionId,
  fileServerAddress: address,
});

/**
 * Asks where the auth server is. Source: gatekeeper_server "AuthSrvIpAddressRequest";
 * pnNetProtocol/pnNpCli2GateKeeper.cpp.
 */
export const Cli2GateKeeper_AuthSrvIpAddressRequest = message("Cli2GateKeeper_AuthSrvIpAddressRequest", 2, {
  transactionId,
});

/**
 * Says where the auth server is. Source: gatekeeper_server "AuthSrvIpAddressReply"; pnNetProtocol/pnNpCli2GateKeeper.h
 * (type 2).
 */
export const GateKeeper2Cli_AuthSrvIpAddressReply = message("GateKeeper2Cli_AuthSrvIpAddressReply", 2, {
  transactionId,
  authServerAddress: address,
});
