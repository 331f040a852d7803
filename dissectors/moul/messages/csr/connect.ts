import { derive } from "moul-dissect/schema";
import { ConnectionType, ConnectPacket } from "../connectPacket.js";

/** Begins a connection to the customer service server. Source: Cli2Csr/pnNpCli2Csr.h (2011). */
export const Cli2Csr_Connect = derive("Cli2Csr_Connect", ConnectPacket, {}, { tag: ConnectionType.CliToCsr });
