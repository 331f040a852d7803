import { array, derive } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { creatable } from "../plCreatable.js";
import { plMessage } from "./plMessage.js";

/**
 * A message that leads to other messages. Source: specification "plMessageWithCallbacks";
 * pnMessage/plMessageWithCallbacks.cpp.
 */
export const plMessageWithCallbacks = derive(
  "plMessageWithCallbacks",
  plMessage,
  {
    callbackCount: u32,
    callbacks: array(creatable(plMessage), "callbackCount").doc("Messages that the receiver sends when it is time."),
  },
  { tag: 0x0283 },
);
