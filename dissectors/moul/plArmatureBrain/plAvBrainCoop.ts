import { array, bool, derive, isTrue } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/little-endian";
import { kiNumber } from "../common/ids/kiNumber.js";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { plAvBrainGeneric } from "./plAvBrainGeneric.js";

/** One avatar's part in what two avatars do together. Source: corrections section 2; plAvatar/plAvBrainCoop.cpp. */
export const plAvBrainCoop = derive(
  "plAvBrainCoop",
  plAvBrainGeneric,
  {
    initiatorKiNumber: kiNumber,
    initiatorSerialNumber: u16.doc("Counts the interactions that the initiator has begun."),
    hostKeyPresent: bool,
    hostKey: plKey.when(isTrue("hostKeyPresent")),
    guestKeyPresent: bool,
    guestKey: plKey.when(isTrue("guestKeyPresent")),
    waitingForClick: bool,
    recipientCount: u16,
    recipients: array(plKey, "recipientCount").doc("Objects that are notified of the stages."),
  },
  { tag: 0x045f },
);
