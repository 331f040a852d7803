import { derive, enumeration } from "moul-dissect/schema";
import { i32 } from "moul-dissect/schema/little-endian";
import { plMessage } from "./plMessage.js";

/** Source: plMessage/plInputEventMsg.h. */
const InputEvent = {
  kConfigure: 0,
};

/**
 * Base of what the player does with keyboard and mouse. Source: corrections section 4; plMessage/plInputEventMsg.cpp.
 */
export const plInputEventMsg = derive(
  "plInputEventMsg",
  plMessage,
  { event: enumeration(i32, InputEvent) },
  { tag: 0x020b },
);
