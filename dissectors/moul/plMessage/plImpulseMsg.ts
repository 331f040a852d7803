import { derive } from "moul-dissect/schema";
import { plSimulationMsg } from "./plSimulationMsg.js";

/**
 * Adds to the velocity of an object. The client does not send how much: the class writes nothing of its own.
 * Source: plMessage/plImpulseMsg.h; sent by pfPython/cyPhysics.cpp.
 */
export const plImpulseMsg = derive("plImpulseMsg", plSimulationMsg, {}, { tag: 0x02a4 });
