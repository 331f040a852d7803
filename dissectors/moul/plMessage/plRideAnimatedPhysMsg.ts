import { bool, derive } from "moul-dissect/schema";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { plMessage } from "./plMessage.js";

/**
 * Says that an avatar has stepped onto something that moves, or off it. Source: corrections section 4;
 * plMessage/plRideAnimatedPhysMsg.cpp.
 */
export const plRideAnimatedPhysMsg = derive(
  "plRideAnimatedPhysMsg",
  plMessage,
  {
    entering: bool.inSummary(),
    region: plKey,
  },
  { tag: 0x049d },
);
