import { derive } from "moul-dissect/schema";
import { f32 } from "moul-dissect/schema/little-endian";
import { namedBits } from "../common/values/hsBitVector.js";
import { SafeString } from "../common/values/SafeString.js";
import { plMessageWithCallbacks } from "./plMessageWithCallbacks.js";

/** Source: plMessage/plAnimCmdMsg.h, ModCmds. */
const ModCmds = {
  kContinue: 1 << 0,
  kStop: 1 << 1,
  kSetLooping: 1 << 2,
  kUnSetLooping: 1 << 3,
  kSetBegin: 1 << 4,
  kSetEnd: 1 << 5,
  kSetLoopEnd: 1 << 6,
  kSetLoopBegin: 1 << 7,
  kSetSpeed: 1 << 8,
  kGoToTime: 1 << 9,
  kSetBackwards: 1 << 10,
  kSetForewards: 1 << 11,
  kToggleState: 1 << 12,
  kAddCallbacks: 1 << 13,
  kRemoveCallbacks: 1 << 14,
  kGoToBegin: 1 << 15,
  kGoToEnd: 1 << 16,
  kGoToLoopBegin: 1 << 17,
  kGoToLoopEnd: 1 << 18,
  kIncrementForward: 1 << 19,
  kIncrementBackward: 1 << 20,
  kRunForward: 1 << 21,
  kRunBackward: 1 << 22,
  kPlayToTime: 1 << 23,
  kPlayToPercentage: 1 << 24,
  kFastForward: 1 << 25,
  kGoToPercent: 1 << 26,
};

/** Controls an animation. Source: corrections section 1, row 2; plMessage/plAnimCmdMsg.cpp. */
export const plAnimCmdMsg = derive(
  "plAnimCmdMsg",
  plMessageWithCallbacks,
  {
    commands: namedBits(ModCmds),
    begin: f32,
    end: f32,
    loopEnd: f32,
    loopBegin: f32,
    speed: f32,
    speedChangeRate: f32,
    time: f32,
    animationName: SafeString.inSummary(),
    loopName: SafeString,
  },
  { tag: 0x0206 },
);
