import { bool, enumeration, flags, struct, u8 } from "moul-dissect/schema";
import { i32, u32 } from "moul-dissect/schema/little-endian";
import { SafeString } from "../common/values/SafeString.js";

/** Source: plAvatar/plAnimStage.h, NotifyType. */
const NotifyType = {
  kNotifyEnter: 1 << 0,
  kNotifyLoop: 1 << 1,
  kNotifyAdvance: 1 << 2,
  kNotifyRegress: 1 << 3,
};

/** Source: plAvatar/plAnimStage.h, ForwardType. */
const ForwardType = {
  kForwardNone: 0,
  kForwardKey: 1,
  kForwardAuto: 2,
};

/** Source: plAvatar/plAnimStage.h, BackType. */
const BackType = {
  kBackNone: 0,
  kBackKey: 1,
  kBackAuto: 2,
};

/** Source: plAvatar/plAnimStage.h, AdvanceType. */
const AdvanceType = {
  kAdvanceNone: 0,
  kAdvanceOnMove: 1,
  kAdvanceAuto: 2,
  kAdvanceOnAnyKey: 3,
};

/** Source: plAvatar/plAnimStage.h, RegressType. */
const RegressType = {
  kRegressNone: 0,
  kRegressOnMove: 1,
  kRegressAuto: 2,
  kRegressOnAnyKey: 3,
};

/** One animation of a behaviour with several. Source: specification "plAnimStage"; plAvatar/plAnimStage.cpp. */
export const plAnimStage = struct(
  "plAnimStage",
  {
    animationName: SafeString.inSummary(),
    notifyFlags: flags(u8, NotifyType).doc("When a plNotifyMsg is sent."),
    forwardType: enumeration(u32, ForwardType).doc("What moves the animation forward."),
    backwardType: enumeration(u32, BackType).doc("What moves the animation backward."),
    advanceType: enumeration(u32, AdvanceType).doc("What leads to the next stage."),
    regressType: enumeration(u32, RegressType).doc("What leads back to the previous stage."),
    loopCount: i32.doc("Repetitions after the first time; -1: without end."),
    doAdvanceTo: bool,
    advanceTo: u32.doc("Stage that comes next, if not the one after this."),
    doRegressTo: bool,
    regressTo: u32.doc("Stage to go back to, if not the one before this."),
  },
  { tag: 0x0371 },
);
