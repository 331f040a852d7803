import { derive } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { plNetMsgServerToClient } from "./plNetMsgServerToClient.js";

/**
 * Ends the answer to a plNetMsgGameStateRequest. Source: specification "plNetMsgInitialAgeStateSent";
 * plNetMessage/plNetMessage.cpp.
 */
export const plNetMsgInitialAgeStateSent = derive(
  "plNetMsgInitialAgeStateSent",
  plNetMsgServerToClient,
  { initialSdlStateCount: u32.doc("Number of messages that the answer consisted of.").inSummary() },
  { tag: 0x02b8 },
);
