import { derive, text } from "moul-dissect/schema";
import { plNetMsgObject } from "./plNetMsgObject.js";

/**
 * Asks for a state that clients share. Source: specification "plNetMsgGetSharedState"; plNetMessage/plNetMessage.cpp.
 */
export const plNetMsgGetSharedState = derive(
  "plNetMsgGetSharedState",
  plNetMsgObject,
  { sharedStateName: text(32).inSummary() },
  { tag: 0x027e },
);
