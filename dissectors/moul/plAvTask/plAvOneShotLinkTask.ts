import { derive } from "moul-dissect/schema";
import { SafeString } from "../common/values/SafeString.js";
import { plAvOneShotTask } from "./plAvOneShotTask.js";

/** Plays the animation of a linking book. Source: corrections section 2; plAvatar/plAvatarTasks.cpp. */
export const plAvOneShotLinkTask = derive(
  "plAvOneShotLinkTask",
  plAvOneShotTask,
  {
    animationName: SafeString,
    markerName: SafeString,
  },
  { tag: 0x0488 },
);
