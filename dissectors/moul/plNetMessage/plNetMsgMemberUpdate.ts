import { bool, derive } from "../../../src/schema/index.js";
import { plNetMsgMemberInfoHelper } from "../common/plNetMsgMemberInfoHelper.js";
import { plNetMsgServerToClient } from "./plNetMsgServerToClient.js";

/** A player has come or gone. Source: specification "plNetMsgMemberUpdate"; plNetMessage/plNetMessage.cpp. */
export const plNetMsgMemberUpdate = derive(
  "plNetMsgMemberUpdate",
  plNetMsgServerToClient,
  {
    member: plNetMsgMemberInfoHelper,
    wasAdded: bool.inSummary(),
  },
  { tag: 0x02b1 },
);
