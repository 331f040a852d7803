import { bool, struct } from "../../../src/schema/index.js";
import { f32 } from "../../../src/schema/little-endian.js";
import { plKey } from "../common/plKey.js";
import { EventType } from "./proEventData.js";

/** An object began or stopped facing another. Source: specification "proFacingEventData"; pnMessage/plNotifyMsg.cpp. */
export const proFacingEventData = struct(
  "proFacingEventData",
  {
    facer: plKey,
    facee: plKey,
    dotProduct: f32.doc("Of the directions in which the two look: 1 if they are the same."),
    enabled: bool,
  },
  { tag: EventType.kFacing },
);
