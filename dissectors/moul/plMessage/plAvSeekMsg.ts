import { bool, derive, enumeration, flags, isFalse, u8 } from "moul-dissect/schema";
import { f32, u16 } from "moul-dissect/schema/little-endian";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { hsPoint3 } from "../common/values/hsPoint3.js";
import { SafeString } from "../common/values/SafeString.js";
import { plAvTaskMsg } from "./plAvTaskMsg.js";

/** Source: plAvatar/plAvDefs.h, plAvAlignment. */
const plAvAlignment = {
  kAlignHandle: 0,
  kAlignHandleAnimEnd: 1,
  kAlignWorld: 2,
  kAlignBone: 3,
  kAlignBoneAnimEnd: 4,
};

/** Source: plMessage/plAvatarMsg.h, plAvSeekMsg. */
const SeekFlags = {
  kSeekFlagUnForce3rdPersonOnFinish: 1 << 0,
  kSeekFlagForce3rdPersonOnStart: 1 << 1,
  kSeekFlagNoWarpOnTimeout: 1 << 2,
  kSeekFlagRotationOnly: 1 << 3,
};

/** Sends an avatar to a place. Source: specification "plAvSeekMsg"; plMessage/plAvatarMsg.cpp. */
export const plAvSeekMsg = derive(
  "plAvSeekMsg",
  plAvTaskMsg,
  {
    seekPoint: plKey.doc("Object that marks the place."),
    targetPosition: hsPoint3.when(isFalse("seekPoint.nonNull")),
    targetLookAt: hsPoint3.when(isFalse("seekPoint.nonNull")),
    duration: f32.doc("Seconds that it takes, where the avatar floats instead of walking."),
    smartSeek: bool.doc("True to walk, false to float."),
    animationName: SafeString.doc("Animation that the avatar is to be in place for.").inSummary(),
    alignmentType: enumeration(u16, plAvAlignment),
    noSeek: bool,
    flags: flags(u8, SeekFlags),
    finishKey: plKey.doc("Object that is notified of the end."),
  },
  { tag: 0x0299 },
);
