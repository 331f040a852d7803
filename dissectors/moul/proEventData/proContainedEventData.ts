import { bool, struct } from "moul-dissect/schema";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { EventType } from "./proEventData.js";

/** An object entered another, or left it. Source: specification "proContainedEventData"; pnMessage/plNotifyMsg.cpp. */
export const proContainedEventData = struct(
  "proContainedEventData",
  {
    contained: plKey,
    container: plKey,
    entering: bool,
  },
  { tag: EventType.kContained },
);
