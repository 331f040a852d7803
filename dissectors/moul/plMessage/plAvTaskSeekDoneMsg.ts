import { bool, derive } from "moul-dissect/schema";
import { plAvatarMsg } from "./plAvatarMsg.js";

/** Says that an avatar has arrived, or never will. Source: corrections section 4; plMessage/plAvatarMsg.cpp. */
export const plAvTaskSeekDoneMsg = derive(
  "plAvTaskSeekDoneMsg",
  plAvatarMsg,
  { aborted: bool.inSummary() },
  { tag: 0x02c0 },
);
