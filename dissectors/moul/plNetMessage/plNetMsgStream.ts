import { derive, type Type } from "moul-dissect/schema";
import { plNetMessage } from "./plNetMessage.js";
import { plNetMsgStreamHelper } from "./plNetMsgStreamHelper.js";

/**
 * Base of messages that carry data whose form depends on the message's class.
 * Source: specification "plNetMsgStream"; plNetMessage/plNetMessage.cpp.
 */
export function plNetMsgStream<V>(content: Type<V>) {
  return derive("plNetMsgStream", plNetMessage, { stream: plNetMsgStreamHelper(content) }, { tag: 0x026c });
}
