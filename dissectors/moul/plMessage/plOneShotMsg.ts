import { array, derive, group } from "moul-dissect/schema";
import { i16, u32 } from "moul-dissect/schema/little-endian";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { SafeString } from "../common/values/SafeString.js";
import { plResponderMsg } from "./plResponderMsg.js";

/** Source: plMessage/plOneShotCallbacks.cpp. */
const oneShotCallback = group({
  marker: SafeString.doc("Place in the animation."),
  receiver: plKey.doc("The object that is notified when the animation gets there."),
  user: i16.doc("Number that is passed to the receiver."),
});

/**
 * Makes an avatar play the animation of the receiver, in its place. The client does not send which avatar.
 * Source: plMessage/plOneShotMsg.cpp; plAvatar/plOneShotMod.cpp; sent by pfPython/cyAvatar.cpp.
 */
export const plOneShotMsg = derive(
  "plOneShotMsg",
  plResponderMsg,
  {
    callbackCount: u32,
    callbacks: array(oneShotCallback, "callbackCount"),
  },
  { tag: 0x0307 },
);
