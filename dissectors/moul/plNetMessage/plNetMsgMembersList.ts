import { array, derive, type StructType } from "moul-dissect/schema";
import { i16 } from "moul-dissect/schema/little-endian";
import { plNetMsgMemberInfoHelper, wideMemberInfo } from "../common/plNetMsgMemberInfoHelper.js";
import { plNetMsgServerToClient } from "./plNetMsgServerToClient.js";

/**
 * Says who else is in the age instance. Source: specification "plNetMsgMembersList"; plNetMessage/plNetMsgHelpers.cpp.
 */
export const plNetMsgMembersList = listOf(plNetMsgMemberInfoHelper);

/** The same with the wide form of a plClientGuid. */
export const wideMembersList = listOf(wideMemberInfo);

function listOf(member: StructType<unknown>): StructType<unknown> {
  const members = { memberCount: i16.inSummary(), members: array(member, "memberCount") };
  return derive("plNetMsgMembersList", plNetMsgServerToClient, members, { tag: 0x02ae });
}
