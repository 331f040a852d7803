import { uuid } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { ipv4 } from "../../common/values/ipv4.js";
import { message, transactionId } from "../message.js";
import { pingPayload, pingTime } from "../ping.js";

/** Keeps the connection alive. Source: auth_server "PingRequest"; pnNetProtocol/pnNpCli2Auth.cpp. */
export const Cli2Auth_PingRequest = message("Cli2Auth_PingRequest", 0, { pingTime, transactionId, ...pingPayload });

/** Returns a ping. Source: auth_server "PingReply". */
export const Auth2Cli_PingReply = message("Auth2Cli_PingReply", 0, { pingTime, transactionId, ...pingPayload });

/** Says where to reconnect. Source: auth_server "ServerAddr". */
export const Auth2Cli_ServerAddr = message("Auth2Cli_ServerAddr", 1, {
  serverIpAddress: ipv4.inSummary(),
  token: uuid
    .sensitive("token")
    .doc("What the client puts into its connect packet when it reconnects.")
    .standsFor("login"),
});

/** Announces an update of the game. Source: auth_server "NotifyNewBuild". */
export const Auth2Cli_NotifyNewBuild = message("Auth2Cli_NotifyNewBuild", 2, {
  foo: u32.doc("The client's own name for it; it makes no use of the number."),
});
