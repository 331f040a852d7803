import { struct } from "moul-dissect/schema";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { EventType } from "./proEventData.js";

/** Something blocked the way of a climbing avatar. Source: corrections section 2; pnMessage/plNotifyMsg.cpp. */
export const proClimbingBlockerHitEventData = struct(
  "proClimbingBlockerHitEventData",
  { blocker: plKey },
  { tag: EventType.kClimbingBlockerHit },
);
