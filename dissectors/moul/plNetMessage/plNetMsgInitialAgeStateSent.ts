import { derive } from "../../../src/schema/index.js";
import { u32 } from "../../../src/schema/little-endian.js";
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
