import { array, bool, derive, group } from "moul-dissect/schema";
import { i32 } from "moul-dissect/schema/little-endian";
import { plNetGroupId } from "../common/pnKeyedObject/plNetGroupId.js";
import { plNetMsgServerToClient } from "./plNetMsgServerToClient.js";

/** Source: plNetMessage/plNetMessage.h, plNetMsgGroupOwner::GroupInfo. */
const groupInfo = group({
  groupId: plNetGroupId,
  owned: bool.inSummary(),
});

/**
 * Says which groups of objects the client owns. Source: specification "plNetMsgGroupOwner";
 * plNetMessage/plNetMessage.cpp.
 */
export const plNetMsgGroupOwner = derive(
  "plNetMsgGroupOwner",
  plNetMsgServerToClient,
  {
    groupCount: i32,
    groups: array(groupInfo, "groupCount"),
  },
  { tag: 0x0264 },
);
