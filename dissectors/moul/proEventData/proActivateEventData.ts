import { bool, struct } from "moul-dissect/schema";
import { EventType } from "./proEventData.js";

/** The sender was activated or deactivated. Source: specification "proActivateEventData"; pnMessage/plNotifyMsg.cpp. */
export const proActivateEventData = struct(
  "proActivateEventData",
  {
    active: bool.doc("Always true."),
    activate: bool,
  },
  { tag: EventType.kActivate },
);
