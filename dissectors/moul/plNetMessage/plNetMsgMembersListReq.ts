import { derive } from "moul-dissect/schema";
import { plNetMessage } from "./plNetMessage.js";

/** Asks who is in the age instance. Source: specification "plNetMsgMembersListReq"; plNetMessage/plNetMessage.h. */
export const plNetMsgMembersListReq = derive("plNetMsgMembersListReq", plNetMessage, {}, { tag: 0x02ad });
