import { derive, u8 } from "moul-dissect/schema";
import { namedBits } from "../common/values/hsBitVector.js";
import { plMessage } from "./plMessage.js";

/** Source: plMessage/plMultistageMsg.h. */
const MultistageCommands = {
  kSetLoopCount: 1 << 0,
};

/** Controls a behaviour of several stages. Source: corrections section 4; plMessage/plMultistageMsg.cpp. */
export const plMultistageModMsg = derive(
  "plMultistageModMsg",
  plMessage,
  {
    commands: namedBits(MultistageCommands),
    stage: u8,
    loopCount: u8,
  },
  { tag: 0x03a3 },
);
