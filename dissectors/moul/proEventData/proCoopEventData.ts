import { struct } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/little-endian";
import { kiNumber } from "../common/ids/kiNumber.js";
import { EventType } from "./proEventData.js";

/** Says what two avatars do together. Source: specification "proCoopEventData"; pnMessage/plNotifyMsg.cpp. */
export const proCoopEventData = struct(
  "proCoopEventData",
  {
    initiatorKiNumber: kiNumber,
    serialNumber: u16.doc("Counts the interactions that the initiator has begun."),
  },
  { tag: EventType.kCoop },
);
