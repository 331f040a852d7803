import { array, derive } from "../../../src/schema/index.js";
import { i16 } from "../../../src/schema/little-endian.js";
import { plNetMsgMemberInfoHelper } from "../common/plNetMsgMemberInfoHelper.js";
import { plNetMsgServerToClient } from "./plNetMsgServerToClient.js";

/**
 * Says who else is in the age instance. Source: specification "plNetMsgMembersList"; plNetMessage/plNetMsgHelpers.cpp.
 */
export const plNetMsgMembersList = derive(
  "plNetMsgMembersList",
  plNetMsgServerToClient,
  {
    memberCount: i16.inSummary(),
    members: array(plNetMsgMemberInfoHelper, "memberCount"),
  },
  { tag: 0x02ae },
);
