import { derive } from "moul-dissect/schema";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { plSimulationMsg } from "./plSimulationMsg.js";

/** Moves an object to a physical world within the world. Source: corrections section 4; plMessage/plSimStateMsg.cpp. */
export const plSubWorldMsg = derive(
  "plSubWorldMsg",
  plSimulationMsg,
  { world: plKey.doc("Null for the main world.") },
  { tag: 0x03bf },
);
