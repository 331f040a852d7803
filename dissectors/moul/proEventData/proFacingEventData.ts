import { bool, struct } from "moul-dissect/schema";
import { f32 } from "moul-dissect/schema/little-endian";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { EventType } from "./proEventData.js";

/**
 * An object began or stopped facing another. Source: specification "proFacingEventData"; pnMessage/plNotifyMsg.cpp;
 * pfConditional/plFacingConditionalObject.cpp, Verify.
 */
export const proFacingEventData = struct(
  "proFacingEventData",
  {
    facer: plKey,
    facee: plKey,
    dotProduct: f32.doc(
      "Of the facer's view direction and that to the facee (or the facee's own, if that matters): 1 if they are the same.",
    ),
    enabled: bool,
  },
  { tag: EventType.kFacing },
);
