import { bool, derive } from "moul-dissect/schema";
import { f32 } from "moul-dissect/schema/little-endian";
import { SafeString } from "../common/values/SafeString.js";
import { plAvTask } from "./plAvTask.js";

/** Plays, or stops, an animation. Source: specification "plAvAnimTask"; plAvatar/plAvatarTasks.cpp. */
export const plAvAnimTask = derive(
  "plAvAnimTask",
  plAvTask,
  {
    animationName: SafeString.inSummary(),
    initialBlend: f32,
    targetBlend: f32,
    fadeSpeed: f32,
    time: f32,
    start: bool,
    loop: bool,
    attach: bool.doc("True to attach the animation to the avatar, false to detach it."),
  },
  { tag: 0x036b },
);
