import { derive } from "moul-dissect/schema";
import { plArmatureBrain } from "./plArmatureBrain.js";

/** Steers an avatar freely, without physics. Source: corrections section 2; plAvatar/plAvBrainDrive.h. */
export const plAvBrainDrive = derive("plAvBrainDrive", plArmatureBrain, {}, { tag: 0x035e });
