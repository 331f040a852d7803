import { enumeration, struct } from "moul-dissect/schema";
import { i32 } from "moul-dissect/schema/little-endian";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { EventType } from "./proEventData.js";

/** Source: pnMessage/plNotifyMsg.h, proEventData::multiStageEventType. */
const MultiStageEventType = {
  kEnterStage: 1,
  kBeginingOfLoop: 2,
  kAdvanceNextStage: 3,
  kRegressPrevStage: 4,
};

/**
 * A sequence of animations reached a stage. Source: specification "proMultiStageEventData"; corrections section 1,
 * row 6; pnMessage/plNotifyMsg.cpp.
 */
export const proMultiStageEventData = struct(
  "proMultiStageEventData",
  {
    stage: i32,
    event: enumeration(i32, MultiStageEventType),
    avatar: plKey,
  },
  { tag: EventType.kMultiStage },
);
