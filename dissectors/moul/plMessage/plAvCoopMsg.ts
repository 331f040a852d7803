import { bool, derive, enumeration, isTrue } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/little-endian";
import { kiNumber } from "../common/ids/kiNumber.js";
import { plCoopCoordinator } from "../plArmatureBrain/plCoopCoordinator.js";
import { creatable } from "../plCreatable.js";
import { plMessage } from "./plMessage.js";

/** Source: plMessage/plAvCoopMsg.h, Command. */
const AvCoopCommand = {
  kNone: 0,
  kStartNew: 1,
  kGuestAccepted: 2,
  kGuestSeeked: 3,
  kGuestSeekAbort: 4,
};

/** Starts and directs what two avatars do together. Source: corrections section 4; plMessage/plAvCoopMsg.cpp. */
export const plAvCoopMsg = derive(
  "plAvCoopMsg",
  plMessage,
  {
    coordinatorPresent: bool,
    coordinator: creatable(plCoopCoordinator).when(isTrue("coordinatorPresent")),
    initiatorKiNumber: kiNumber,
    initiatorSerialNumber: u16.doc("Counts the interactions that the initiator has begun."),
    command: enumeration(u16, AvCoopCommand).inSummary(),
  },
  { tag: 0x045e },
);
