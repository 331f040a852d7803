import { derive } from "moul-dissect/schema";
import { plSimulationMsg } from "./plSimulationMsg.js";

/**
 * Sets how fast an object turns. The client does not send the velocity: the class writes nothing of its own.
 * Source: plMessage/plAngularVelocityMsg.h; sent by pfPython/cyPhysics.cpp.
 */
export const plAngularVelocityMsg = derive("plAngularVelocityMsg", plSimulationMsg, {}, { tag: 0x049c });
