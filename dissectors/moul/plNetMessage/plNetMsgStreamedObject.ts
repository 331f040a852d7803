import { derive, type Type } from "moul-dissect/schema";
import { plNetMsgObject } from "./plNetMsgObject.js";
import { plNetMsgStreamHelper } from "./plNetMsgStreamHelper.js";

/**
 * Base of messages that carry data of an object, whose form depends on the message's class.
 * Source: specification "plNetMsgStreamedObject"; plNetMessage/plNetMessage.cpp.
 */
export function plNetMsgStreamedObject<V>(content: Type<V>) {
  return derive("plNetMsgStreamedObject", plNetMsgObject, { stream: plNetMsgStreamHelper(content) }, { tag: 0x027b });
}
