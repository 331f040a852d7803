import { enumeration, struct } from "moul-dissect/schema";
import { i32 } from "moul-dissect/schema/little-endian";
import { kiNumber } from "../common/ids/kiNumber.js";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { EventType } from "./proEventData.js";

/** The engine has no names for these. Source: specification "proOfferLinkingBookEventData". */
const OfferLinkingBookEvent = {
  kFinish: 0,
  kOffer: 999,
  kRescind: -999,
};

/**
 * A linking book is shared. Source: specification "proOfferLinkingBookEventData"; pnMessage/plNotifyMsg.cpp;
 * plInputCore/plSceneInputInterface.cpp, ISendOfferNotification.
 */
export const proOfferLinkingBookEventData = struct(
  "proOfferLinkingBookEventData",
  {
    offerer: plKey,
    event: enumeration(i32, OfferLinkingBookEvent),
    offereeKiNumber: kiNumber.doc("KI number of the player who may use the book; 4294967295: the offerer knows none."),
  },
  { tag: EventType.kOfferLinkingBook },
);
