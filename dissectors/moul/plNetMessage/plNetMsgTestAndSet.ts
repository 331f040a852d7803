import { derive } from "moul-dissect/schema";
import { plNetMsgSharedState } from "./plNetMsgSharedState.js";

/** Locks or unlocks an object. Source: specification "plNetMsgTestAndSet"; plNetMessage/plNetMessage.h. */
export const plNetMsgTestAndSet = derive("plNetMsgTestAndSet", plNetMsgSharedState, {}, { tag: 0x027d });
