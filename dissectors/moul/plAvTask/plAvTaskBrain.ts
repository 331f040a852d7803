import { derive } from "moul-dissect/schema";
import { plArmatureBrain } from "../plArmatureBrain/plArmatureBrain.js";
import { creatable } from "../plCreatable.js";
import { plAvTask } from "./plAvTask.js";

/** Gives an avatar a brain, or takes one away. Source: corrections section 2; plAvatar/plAvTaskBrain.cpp. */
export const plAvTaskBrain = derive("plAvTaskBrain", plAvTask, { brain: creatable(plArmatureBrain) }, { tag: 0x0370 });
