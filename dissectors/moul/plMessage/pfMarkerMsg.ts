import { derive, enumeration, equals, u8 } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { plMessage } from "./plMessage.js";

/** Source: pfMessage/pfMarkerMsg.h, Type. */
const MarkerMsgType = {
  kMarkerCaptured: 0,
};

/** Reports an event of a marker game. Source: corrections section 4; pfMessage/pfMarkerMsg.cpp. */
export const pfMarkerMsg = derive(
  "pfMarkerMsg",
  plMessage,
  {
    type: enumeration(u8, MarkerMsgType).inSummary(),
    markerId: u32.when(equals("type", MarkerMsgType.kMarkerCaptured)).inSummary(),
  },
  { tag: 0x045a },
);
