import { bool, derive } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { kiNumber } from "../common/ids/kiNumber.js";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { creatable } from "../plCreatable.js";
import { plMessage } from "./plMessage.js";

/**
 * Loads or unloads a clone of an object. Source: specification "plLoadCloneMsg"; plMessage/plLoadCloneMsg.cpp;
 * plAvatar/plAvatarMgr.cpp and plArmatureMod.cpp (userData).
 */
export const plLoadCloneMsg = derive(
  "plLoadCloneMsg",
  plMessage,
  {
    clone: plKey,
    requestor: plKey,
    originatingPlayer: kiNumber.doc("KI number of the player who made the clone."),
    userData: u32
      .doc("For the requestor's use; plAvatarMgr: KI number of the player whose avatar the clone belongs to.")
      .sensitive("any-number"),
    isValid: bool,
    isLoading: bool.doc("True to load the clone, false to unload it.").inSummary(),
    triggerMessage: creatable(plMessage),
  },
  { tag: 0x0253 },
);
