import { bool, struct } from "../../../src/schema/index.js";
import { plKey } from "../common/plKey.js";
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
