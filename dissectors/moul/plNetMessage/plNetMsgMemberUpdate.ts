import { bool, derive, type StructType } from "moul-dissect/schema";
import { plNetMsgMemberInfoHelper, wideMemberInfo } from "../common/plNetMsgMemberInfoHelper.js";
import { plNetMsgServerToClient } from "./plNetMsgServerToClient.js";

/** A player has come or gone. Source: specification "plNetMsgMemberUpdate"; plNetMessage/plNetMessage.cpp. */
export const plNetMsgMemberUpdate = updateOf(plNetMsgMemberInfoHelper);

/** The same with the wide form of a plClientGuid. */
export const wideMemberUpdate = updateOf(wideMemberInfo);

function updateOf(member: StructType<unknown>): StructType<unknown> {
  const members = { member, wasAdded: bool.inSummary() };
  return derive("plNetMsgMemberUpdate", plNetMsgServerToClient, members, { tag: 0x02b1 });
}
