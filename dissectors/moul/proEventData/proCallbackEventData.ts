import { enumeration, struct } from "../../../src/schema/index.js";
import { i32 } from "../../../src/schema/little-endian.js";
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
