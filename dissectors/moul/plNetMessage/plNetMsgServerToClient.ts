import { derive } from "moul-dissect/schema";
import { plNetMessage } from "./plNetMessage.js";

/**
 * Base of messages that only servers send. Source: specification "plNetMsgServerToClient"; plNetMessage/plNetMessage.h.
 */
export const plNetMsgServerToClient = derive("plNetMsgServerToClient", plNetMessage, {}, { tag: 0x02b2 });
