import { derive } from "moul-dissect/schema";
import { plArmatureBrain } from "./plArmatureBrain.js";

/** Lets an avatar climb a wall. Source: corrections section 2; plAvatar/plAvBrainClimb.h. */
export const plAvBrainClimb = derive("plAvBrainClimb", plArmatureBrain, {}, { tag: 0x0453 });
