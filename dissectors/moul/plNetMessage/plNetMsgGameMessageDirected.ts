import { array, derive, u8 } from "../../../src/schema/index.js";
import { u32 } from "../../../src/schema/little-endian.js";
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
    receivers: array(u32, "receiverCount").doc("KI numbers."),
  },
  { tag: 0x032e },
);
