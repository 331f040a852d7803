import { derive } from "moul-dissect/schema";
import { accountUuid } from "../../common/ids/accountUuid.js";
import { ageInstanceUuid } from "../../common/ids/ageInstanceUuid.js";
import { ConnectionType, ConnectPacket } from "../connectPacket.js";

/** Begins a connection to the game server. Source: specification "Connection types"; pnNetProtocol/pnNpCli2Game.h. */
export const Cli2Game_Connect = derive(
  "Cli2Game_Connect",
  ConnectPacket,
  { accountUuid, ageUuid: ageInstanceUuid },
  { tag: ConnectionType.CliToGame },
);
