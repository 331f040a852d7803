import { derive } from "moul-dissect/schema";
import { plNetMsgObject } from "./plNetMsgObject.js";

/** Asks for the state of an object. Source: specification "plNetMsgObjStateRequest"; plNetMessage/plNetMessage.h. */
export const plNetMsgObjStateRequest = derive("plNetMsgObjStateRequest", plNetMsgObject, {}, { tag: 0x0286 });
