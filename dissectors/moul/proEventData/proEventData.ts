import { enumeration, Family } from "moul-dissect/schema";
import { i32 } from "moul-dissect/schema/little-endian";

/** Source: pnMessage/plNotifyMsg.h, proEventData::eventType. */
export const EventType = {
  kCollision: 1,
  kPicked: 2,
  kControlKey: 3,
  kVariable: 4,
  kFacing: 5,
  kContained: 6,
  kActivate: 7,
  kCallback: 8,
  kResponderState: 9,
  kMultiStage: 10,
  kSpawned: 11,
  kClickDrag: 12,
  kCoop: 13,
  kOfferLinkingBook: 14,
  kBook: 15,
  kClimbingBlockerHit: 16,
};

/**
 * The events of a plNotifyMsg: a type, then its fields, without a length. An unknown type makes the rest of the
 * message unreadable. Source: specification "proEventData"; corrections section 2.
 */
export const proEventData = new Family("proEventData", "type", enumeration(i32, EventType));
