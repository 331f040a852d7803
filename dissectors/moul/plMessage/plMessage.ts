import { array, flags, struct } from "moul-dissect/schema";
import { f64, u32 } from "moul-dissect/schema/little-endian";
import { plKey } from "../common/pnKeyedObject/plKey.js";

/** How a message travels. Source: specification "plBCastFlags". */
const plBCastFlags = {
  kBCastByType: 1 << 0,
  kPropagateToChildren: 1 << 2,
  kBCastByExactType: 1 << 3,
  kPropagateToModifiers: 1 << 4,
  kClearAfterBCast: 1 << 5,
  kNetPropagate: 1 << 6,
  kNetSent: 1 << 7,
  kNetUseRelevanceRegions: 1 << 8,
  kNetForce: 1 << 9,
  kNetNonLocal: 1 << 10,
  kLocalPropagate: 1 << 11,
  kMsgWatch: 1 << 12,
  kNetStartCascade: 1 << 13,
  kNetAllowInterAge: 1 << 14,
  kNetSendUnreliable: 1 << 15,
  kCCRSendToAllPlayers: 1 << 16,
  kNetCreatedRemotely: 1 << 17,
};

/** Base of all messages between objects. Source: specification "plMessage"; pnMessage/plMessage.cpp. */
export const plMessage = struct(
  "plMessage",
  {
    sender: plKey.doc("The object that sent the message."),
    receiverCount: u32,
    receivers: array(plKey, "receiverCount").doc("The objects to which the message goes."),
    timestamp: f64.doc("Sender's game time before which the message is not delivered; 0: at once.").varies(),
    broadcastFlags: flags(u32, plBCastFlags),
  },
  { tag: 0x0202 },
);
