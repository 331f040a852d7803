import { struct } from "moul-dissect/schema";
import { i32 } from "moul-dissect/schema/little-endian";
import { EventType } from "./proEventData.js";

/** Sets the state of a responder. Source: specification "proResponderStateEventData"; pnMessage/plNotifyMsg.cpp. */
export const proResponderStateEventData = struct(
  "proResponderStateEventData",
  { state: i32 },
  { tag: EventType.kResponderState },
);
