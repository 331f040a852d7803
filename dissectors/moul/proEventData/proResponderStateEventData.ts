import { struct } from "../../../src/schema/index.js";
import { i32 } from "../../../src/schema/little-endian.js";
import { EventType } from "./proEventData.js";

/** Sets the state of a responder. Source: specification "proResponderStateEventData"; pnMessage/plNotifyMsg.cpp. */
export const proResponderStateEventData = struct(
  "proResponderStateEventData",
  { state: i32 },
  { tag: EventType.kResponderState },
);
