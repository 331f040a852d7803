import { bool, derive, enumeration } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { plMessage } from "./plMessage.js";

/** Source: plMessage/plClimbMsg.h, Command. */
const ClimbCommand = {
  kNoCommand: 0,
  kEnableClimb: 1,
  kEnableDismount: 2,
  kFallOff: 4,
  kRelease: 8,
  kStartClimbing: 8,
};

/** Source: plMessage/plClimbMsg.h, Direction. */
const ClimbDirection = {
  kUp: 1 << 0,
  kDown: 1 << 1,
  kLeft: 1 << 2,
  kRight: 1 << 3,
  kCenter: 1 << 4,
};

/** Controls an avatar that climbs. Source: corrections section 4; plMessage/plClimbMsg.cpp. */
export const plClimbMsg = derive(
  "plClimbMsg",
  plMessage,
  {
    command: enumeration(u32, ClimbCommand)
      .doc("8 is kStartClimbing for an avatar that is not climbing yet.")
      .inSummary(),
    direction: enumeration(u32, ClimbDirection).inSummary(),
    status: bool.doc("True to enable, false to disable."),
    target: plKey.doc("Place to begin at."),
  },
  { tag: 0x0451 },
);
