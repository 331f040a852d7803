import { derive } from "moul-dissect/schema";
import { plArmatureBrain } from "../plArmatureBrain/plArmatureBrain.js";
import { creatable } from "../plCreatable.js";
import { plAvTaskMsg } from "./plAvTaskMsg.js";

/** Gives an avatar a brain. Source: corrections section 4; plMessage/plAvatarMsg.cpp. */
export const plAvPushBrainMsg = derive(
  "plAvPushBrainMsg",
  plAvTaskMsg,
  { brain: creatable(plArmatureBrain) },
  { tag: 0x0367 },
);
