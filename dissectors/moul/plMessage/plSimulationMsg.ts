import { derive } from "moul-dissect/schema";
import { plMessage } from "./plMessage.js";

/** Base of messages to the physics simulation. Source: pnMessage/plSimulationMsg.cpp. */
export const plSimulationMsg = derive("plSimulationMsg", plMessage, {}, { tag: 0x0294 });
