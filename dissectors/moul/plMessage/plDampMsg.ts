import { derive } from "moul-dissect/schema";
import { plSimulationMsg } from "./plSimulationMsg.js";

/**
 * Slows an object down. The client does not send by how much: the class writes nothing of its own.
 * Source: plMessage/plDampMsg.h; sent by pfPython/cyPhysics.cpp.
 */
export const plDampMsg = derive("plDampMsg", plSimulationMsg, {}, { tag: 0x02a7 });
