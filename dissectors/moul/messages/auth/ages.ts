import { ageInstanceUuid, namesAgePoorly } from "../../common/ids/ageInstanceUuid.js";
import { mcpId, namesGameServer } from "../../common/ids/mcpId.js";
import { vaultNodeId } from "../../common/ids/vaultNodeId.js";
import { ipv4 } from "../../common/values/ipv4.js";
import { message, netString, result, transactionId } from "../message.js";

/** Asks for the way to an instance of an age. Source: auth_server "AgeRequest"; pnNetProtocol/pnNpCli2Auth.cpp. */
export const Cli2Auth_AgeRequest = message(
  "Cli2Auth_AgeRequest",
  36,
  {
    transactionId,
    fileName: netString.public().inSummary(),
    instanceUuid: ageInstanceUuid,
  },
  { introduces: namesAgePoorly("instanceUuid", "fileName") },
);

/** Gives the way to an instance of an age. Source: auth_server "AgeReply". */
export const Auth2Cli_AgeReply = message(
  "Auth2Cli_AgeReply",
  35,
  {
    transactionId,
    result,
    mcpId,
    instanceUuid: ageInstanceUuid,
    ageVaultNodeId: vaultNodeId.inSummary(),
    serverIpAddress: ipv4.doc("Where the game server is.").inSummary(),
  },
  { introduces: namesGameServer },
);
