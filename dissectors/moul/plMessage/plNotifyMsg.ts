import { array, derive, enumeration, polymorphic } from "moul-dissect/schema";
import { f32, i32, u32 } from "moul-dissect/schema/little-endian";
import { proEventData } from "../proEventData/proEventData.js";
import { plMessage } from "./plMessage.js";

/** Source: specification "plNotifyMsg". */
const NotificationType = {
  kActivator: 0,
  kVarNotification: 1,
  kNotifySelf: 2,
  kResponderFF: 3,
  kResponderChangeState: 4,
};

/**
 * Says that something happened, by a list of events. Source: specification "plNotifyMsg"; pnMessage/plNotifyMsg.cpp.
 */
export const plNotifyMsg = derive(
  "plNotifyMsg",
  plMessage,
  {
    notificationType: enumeration(i32, NotificationType),
    state: f32.doc("Usually 0 (false) or 1 (true).").inSummary(),
    id: i32,
    eventCount: u32,
    events: array(polymorphic(proEventData), "eventCount"),
  },
  { tag: 0x02ed },
);
