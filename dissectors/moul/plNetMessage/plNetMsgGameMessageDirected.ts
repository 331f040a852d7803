import { array, derive, u8 } from "moul-dissect/schema";
import { kiNumber } from "../common/ids/kiNumber.js";
import { plNetMsgGameMessage } from "./plNetMsgGameMessage.js";

/**
 * A plNetMsgGameMessage for some players only. Source: specification "plNetMsgGameMessageDirected";
 * plNetMessage/plNetMessage.cpp.
 */
export const plNetMsgGameMessageDirected = derive(
  "plNetMsgGameMessageDirected",
  plNetMsgGameMessage,
  {
    receiverCount: u8,
    receivers: array(kiNumber.inSummary(), "receiverCount").inJson("receiverKiNumbers"),
  },
  { tag: 0x032e },
);
