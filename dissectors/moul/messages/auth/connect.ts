import { derive, uuid } from "moul-dissect/schema";
import { ConnectionType, ConnectPacket } from "../connectPacket.js";

/** Begins a connection to the auth server. Source: specification "Connection types"; pnNetProtocol/pnNpCli2Auth.h. */
export const Cli2Auth_Connect = derive(
  "Cli2Auth_Connect",
  ConnectPacket,
  {
    token: uuid
      .sensitive("token")
      .doc("What an Auth2Cli_ServerAddr message gave the client, else zeros.")
      .standsFor("login"),
  },
  { tag: ConnectionType.CliToAuth },
);
