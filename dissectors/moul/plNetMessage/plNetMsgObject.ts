import { derive } from "moul-dissect/schema";
import { plUoid } from "../common/pnKeyedObject/plUoid.js";
import { plNetMessage } from "./plNetMessage.js";

/** Base of messages about an object. Source: specification "plNetMsgObject"; plNetMessage/plNetMessage.cpp. */
export const plNetMsgObject = derive("plNetMsgObject", plNetMessage, { uoid: plUoid }, { tag: 0x0268 });
