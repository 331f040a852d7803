import { bool, struct } from "moul-dissect/schema";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { EventType } from "./proEventData.js";

/** Source: specification "proCollisionEventData"; pnMessage/plNotifyMsg.cpp. */
export const proCollisionEventData = struct(
  "proCollisionEventData",
  {
    enter: bool.doc("True if the hitter entered the hittee, false if it left."),
    hitter: plKey,
    hittee: plKey,
  },
  { tag: EventType.kCollision },
);
