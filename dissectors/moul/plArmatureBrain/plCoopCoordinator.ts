import { bool, isTrue, struct, u8 } from "moul-dissect/schema";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { SafeString } from "../common/values/SafeString.js";
import { creatable } from "../plCreatable.js";
import { plMessage } from "../plMessage/plMessage.js";
import { plAvBrainCoop } from "./plAvBrainCoop.js";

/** Coordinates what two avatars do together. Source: corrections section 4; plAvatar/plCoopCoordinator.cpp. */
export const plCoopCoordinator = struct(
  "plCoopCoordinator",
  {
    hostKey: plKey,
    guestKey: plKey,
    hostBrain: creatable(plAvBrainCoop),
    guestBrain: creatable(plAvBrainCoop),
    hostOfferStage: u8.doc("Stage of the host's brain at which the guest may accept."),
    guestAcceptStage: bool.doc("Stage of the guest's brain that accepts; clients read any but 0 as 1."),
    guestAcceptMessagePresent: bool,
    guestAcceptMessage: creatable(plMessage).when(isTrue("guestAcceptMessagePresent")),
    synchBone: SafeString,
    autoStartGuest: bool,
  },
  { tag: 0x011b },
);
