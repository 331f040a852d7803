import { struct } from "../../../src/schema/index.js";
import { plKey } from "../common/plKey.js";
import { EventType } from "./proEventData.js";

/** Something barred the way of an avatar that climbs. Source: corrections section 2; pnMessage/plNotifyMsg.cpp. */
export const proClimbingBlockerHitEventData = struct(
  "proClimbingBlockerHitEventData",
  { blocker: plKey },
  { tag: EventType.kClimbingBlockerHit },
);
