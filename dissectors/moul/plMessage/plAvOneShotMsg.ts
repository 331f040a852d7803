import { bool, derive } from "moul-dissect/schema";
import { SafeString } from "../common/values/SafeString.js";
import { plAvSeekMsg } from "./plAvSeekMsg.js";

/** Sends an avatar to a place, to play an animation there. Source: corrections section 4; plMessage/plAvatarMsg.cpp. */
export const plAvOneShotMsg = derive(
  "plAvOneShotMsg",
  plAvSeekMsg,
  {
    oneShotAnimationName: SafeString.doc("Replaces the animation name before it.").inSummary(),
    drivable: bool.doc("True if the player's mouse moves the animation."),
    reversible: bool.doc("True if the animation can be played backward."),
  },
  { tag: 0x029a },
);
