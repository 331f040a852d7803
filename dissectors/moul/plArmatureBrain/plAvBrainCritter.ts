import { derive } from "moul-dissect/schema";
import { plArmatureBrain } from "./plArmatureBrain.js";

/** Controls an animal. Source: corrections section 2; plAvatar/plAvBrainCritter.h. */
export const plAvBrainCritter = derive("plAvBrainCritter", plArmatureBrain, {}, { tag: 0x035d });
