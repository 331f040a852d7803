import { bool, derive, flags } from "moul-dissect/schema";
import { i32, u32 } from "moul-dissect/schema/little-endian";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { plMessage } from "./plMessage.js";

/** Source: plMessage/plLinkToAgeMsg.h, plLinkEffectsTriggerMsg. */
const LinkEffectsFlags = {
  kMuteLinkSfx: 1 << 0,
};

/** Shows an avatar linking out or in. Source: corrections section 2; plMessage/plLinkToAgeMsg.cpp. */
export const plLinkEffectsTriggerMsg = derive(
  "plLinkEffectsTriggerMsg",
  plMessage,
  {
    ccrLevel: i32,
    linkingOut: bool.doc("True if the avatar leaves, false if it arrives.").inSummary(),
    linker: plKey.doc("The avatar."),
    flags: flags(u32, LinkEffectsFlags),
    linkInAnimation: plKey.doc("Animation that the avatar plays when it has arrived."),
  },
  { tag: 0x0300 },
);
