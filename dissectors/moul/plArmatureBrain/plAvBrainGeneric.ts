import { array, bool, derive, enumeration, flags, group, isTrue, u8 } from "moul-dissect/schema";
import { f32, i32, u32 } from "moul-dissect/schema/little-endian";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { creatable } from "../plCreatable.js";
import { plMessage } from "../plMessage/plMessage.js";
import { plAnimStage } from "./plAnimStage.js";
import { plArmatureBrain } from "./plArmatureBrain.js";

/** Source: plAvatar/plAvBrainGeneric.h, BrainType. */
const BrainType = {
  kGeneric: 0,
  kLadder: 1,
  kSit: 2,
  kSitOnGround: 3,
  kEmote: 4,
  kAFK: 5,
};

/** Source: plAvatar/plAvBrainGeneric.h, ExitFlag. */
const ExitFlag = {
  kExitAnyTask: 1 << 0,
  kExitNewBrain: 1 << 1,
  kExitAnyInput: 1 << 2,
};

/** Source: plAvatar/plAvBrainGeneric.h, Mode. */
const Mode = {
  kEntering: 1,
  kNormal: 2,
  kFadingIn: 3,
  kFadingOut: 4,
  kExit: 5,
  kAbort: 6,
};

/** Source: plAvatar/plAvBrainGeneric.h, MoveMode. */
const MoveMode = {
  kMoveAbsolute: 0,
  kMoveRelative: 1,
  kMoveNormal: 2,
  kMoveStandstill: 3,
};

/** Source: plAnimation/plAGAnim.h, BodyUsage. */
const BodyUsage = {
  kBodyUnknown: 0,
  kBodyUpper: 1,
  kBodyFull: 2,
  kBodyLower: 3,
};

/** A stage and how far it has come. Source: specification "plAvBrainGeneric"; plAvatar/plAnimStage.cpp, SaveAux. */
const runningStage = group({
  stage: creatable(plAnimStage),
  localTime: f32.doc("Seconds from the beginning of the animation."),
  length: f32.doc("Length of the animation in seconds."),
  currentLoop: i32,
  attached: bool,
});

/**
 * Plays a sequence of animations. With a DIRTSAND server, two null creatables can replace the messages and their
 * presence bytes: the client reads them as "absent", and "present" (0x80) with a null message.
 * Source: specification "plAvBrainGeneric"; corrections section 3; plAvatar/plAvBrainGeneric.cpp.
 */
export const plAvBrainGeneric = derive(
  "plAvBrainGeneric",
  plArmatureBrain,
  {
    stageCount: i32,
    stages: array(runningStage, "stageCount"),
    currentStage: i32,
    brainType: enumeration(u32, BrainType).inSummary(),
    exitFlags: flags(u32, ExitFlag).doc("What ends the sequence early."),
    mode: enumeration(u8, Mode),
    forward: bool,
    startMessagePresent: bool,
    startMessage: creatable(plMessage).when(isTrue("startMessagePresent")),
    endMessagePresent: bool,
    endMessage: creatable(plMessage).when(isTrue("endMessagePresent")),
    fadeIn: f32.doc("Rate at which the first animation is blended in."),
    fadeOut: f32.doc("Rate at which the last animation is blended out."),
    moveMode: enumeration(u8, MoveMode).doc("How the animations move the avatar."),
    bodyUsage: enumeration(u8, BodyUsage),
    recipient: plKey.doc("Object that is notified of the stages."),
  },
  { tag: 0x0360 },
);
