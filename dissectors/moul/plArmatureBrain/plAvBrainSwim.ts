import { derive } from "moul-dissect/schema";
import { plArmatureBrain } from "./plArmatureBrain.js";

/** Lets an avatar swim. Source: corrections section 2; plAvatar/plAvBrainSwim.h. */
export const plAvBrainSwim = derive("plAvBrainSwim", plArmatureBrain, {}, { tag: 0x042d });
