import { derive } from "moul-dissect/schema";
import { plSimulationMsg } from "./plSimulationMsg.js";

/**
 * Sets the velocity of an object. The client does not send the velocity: the class writes nothing of its own.
 * Source: plMessage/plLinearVelocityMsg.h; sent by pfPython/cyPhysics.cpp.
 */
export const plLinearVelocityMsg = derive("plLinearVelocityMsg", plSimulationMsg, {}, { tag: 0x049b });
