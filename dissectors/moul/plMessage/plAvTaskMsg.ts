import { bool, derive, isTrue } from "moul-dissect/schema";
import { plAvTask } from "../plAvTask/plAvTask.js";
import { creatable } from "../plCreatable.js";
import { plAvatarMsg } from "./plAvatarMsg.js";

/** Gives an avatar something to do. Source: specification "plAvTaskMsg"; plMessage/plAvatarMsg.cpp. */
export const plAvTaskMsg = derive(
  "plAvTaskMsg",
  plAvatarMsg,
  {
    taskPresent: bool,
    task: creatable(plAvTask).when(isTrue("taskPresent")),
  },
  { tag: 0x0298 },
);
