import { flags, type StructType, struct } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { plClientGuid, wideClientGuid } from "./plNetCommon/plClientGuid.js";
import { plUoid } from "./pnKeyedObject/plUoid.js";

/** Source: specification "plNetMember", Flags. */
const MemberFlags = {
  kWaitingForLinkQuery: 1 << 0,
  kIndirectMember: 1 << 1,
  kRequestP2P: 1 << 2,
  kWaitingForChallengeResponse: 1 << 3,
  kIsServer: 1 << 4,
  kAllowTimeOut: 1 << 5,
};

/** A client in the age instance. Source: specification "plNetMsgMemberInfoHelper"; plNetMessage/plNetMsgHelpers.cpp. */
export const plNetMsgMemberInfoHelper = memberWith(plClientGuid);

/** The same with the wide form of a plClientGuid. */
export const wideMemberInfo = memberWith(wideClientGuid);

function memberWith(clientInfo: StructType<unknown>): StructType<unknown> {
  return struct("plNetMsgMemberInfoHelper", { flags: flags(u32, MemberFlags), clientInfo, avatarUoid: plUoid });
}
