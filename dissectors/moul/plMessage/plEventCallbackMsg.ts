import { derive, enumeration } from "moul-dissect/schema";
import { f32, i16 } from "moul-dissect/schema/little-endian";
import { plMessage } from "./plMessage.js";

/** Source: pnMessage/plEventCallbackMsg.h, CallbackEvent. */
export const CallbackEvent = {
  kStart: 0,
  kStop: 1,
  kReverse: 2,
  kTime: 3,
  kLoop: 4,
  kBegin: 5,
  kEnd: 6,
  kEventEnd: 7,
  kSingleFrameAdjust: 8,
  kSingleFrameEval: 9,
};

/** Reports an event of an animation or sound. Source: corrections section 2; pnMessage/plEventCallbackMsg.cpp. */
export const plEventCallbackMsg = derive(
  "plEventCallbackMsg",
  plMessage,
  {
    eventTime: f32.doc("For kTime: when it happens."),
    event: enumeration(i16, CallbackEvent).inSummary(),
    index: i16.doc("Number of the thing that the event comes from."),
    repeats: i16.doc("How often it is sent again; -1: without end."),
    user: i16.doc("A number for the receiver's own use."),
  },
  { tag: 0x0250 },
);
