import { array, bool, derive, u8 } from "moul-dissect/schema";
import { kiNumber } from "../common/ids/kiNumber.js";
import { plNetMessage } from "./plNetMessage.js";

/** Says whose voices can be heard. Source: specification "plNetMsgListenListUpdate"; plNetMessage/plNetMessage.cpp. */
export const plNetMsgListenListUpdate = derive(
  "plNetMsgListenListUpdate",
  plNetMessage,
  {
    adding: bool.doc("True to add the players, false to remove them.").inSummary(),
    receiverCount: u8,
    receivers: array(kiNumber, "receiverCount").inJson("receiverKiNumbers"),
  },
  { tag: 0x02c8 },
);
