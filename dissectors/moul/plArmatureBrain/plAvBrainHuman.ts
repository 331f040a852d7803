import { bool, derive } from "moul-dissect/schema";
import { plArmatureBrain } from "./plArmatureBrain.js";

/** Controls an avatar that looks like a person. Source: corrections section 2; plAvatar/plAvBrainHuman.cpp. */
export const plAvBrainHuman = derive("plAvBrainHuman", plArmatureBrain, { isActor: bool }, { tag: 0x035c });
