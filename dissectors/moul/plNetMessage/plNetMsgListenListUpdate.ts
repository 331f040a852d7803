import { array, bool, derive, u8 } from "../../../src/schema/index.js";
import { u32 } from "../../../src/schema/little-endian.js";
import { plNetMessage } from "./plNetMessage.js";

/** Says whose voices can be heard. Source: specification "plNetMsgListenListUpdate"; plNetMessage/plNetMessage.cpp. */
export const plNetMsgListenListUpdate = derive(
  "plNetMsgListenListUpdate",
  plNetMessage,
  {
    adding: bool.doc("True to add the players, false to remove them.").inSummary(),
    receiverCount: u8,
    receivers: array(u32, "receiverCount").doc("KI numbers."),
  },
  { tag: 0x02c8 },
);
