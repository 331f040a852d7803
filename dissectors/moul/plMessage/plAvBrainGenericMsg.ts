import { bool, derive, enumeration } from "moul-dissect/schema";
import { f32, i32, u32 } from "moul-dissect/schema/little-endian";
import { plAvatarMsg } from "./plAvatarMsg.js";

/** Source: plMessage/plAvatarMsg.h, plAvBrainGenericMsg::Type. */
const BrainGenericMsgType = {
  kNextStage: 0,
  kPrevStage: 1,
  kGotoStage: 2,
  kSetLoopCount: 3,
};

/** Controls a plAvBrainGeneric. Source: specification "plAvBrainGenericMsg"; plMessage/plAvatarMsg.cpp. */
export const plAvBrainGenericMsg = derive(
  "plAvBrainGenericMsg",
  plAvatarMsg,
  {
    type: enumeration(u32, BrainGenericMsgType).inSummary(),
    stage: i32.doc("With kGotoStage: number of the stage; -1 ends the sequence.").inSummary(),
    setTime: bool,
    time: f32.doc("Where in the stage to begin, if setTime."),
    setDirection: bool,
    direction: bool.doc("True for forward, if setDirection.").inJson("isForward"),
    transitionTime: f32.doc("Seconds to blend from one stage to the other."),
  },
  { tag: 0x038f },
);
