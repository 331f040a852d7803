import { enumeration, struct } from "moul-dissect/schema";
import { i32 } from "moul-dissect/schema/little-endian";
import { CallbackEvent } from "../plMessage/plEventCallbackMsg.js";
import { EventType } from "./proEventData.js";

/**
 * An animation or sound reached some point. Source: specification "proCallbackEventData"; pnMessage/plNotifyMsg.cpp.
 */
export const proCallbackEventData = struct(
  "proCallbackEventData",
  { callbackEventType: enumeration(i32, CallbackEvent) },
  { tag: EventType.kCallback },
);
