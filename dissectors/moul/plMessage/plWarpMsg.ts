import { bool, derive, flags, isTrue } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { hsMatrix44 } from "../common/values/hsMatrix44.js";
import { plMessage } from "./plMessage.js";

/** Source: pnMessage/plWarpMsg.h, WarpFlags. */
const WarpFlags = {
  kFlushTransform: 1 << 0,
  kZeroVelocity: 1 << 1,
};

/** Moves an object to another place at once. Source: corrections section 4; pnMessage/plWarpMsg.cpp. */
export const plWarpMsg = derive(
  "plWarpMsg",
  plMessage,
  {
    transformPresent: bool.doc("False for the identity."),
    transform: hsMatrix44.when(isTrue("transformPresent")),
    warpFlags: flags(u32, WarpFlags),
  },
  { tag: 0x0255 },
);
