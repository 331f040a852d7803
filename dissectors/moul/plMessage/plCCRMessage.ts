import { derive } from "moul-dissect/schema";
import { plMessage } from "./plMessage.js";

/** Base of messages to and from customer representatives (CCRs). Source: plMessage/plCCRMsg.h. */
export const plCCRMessage = derive("plCCRMessage", plMessage, {}, { tag: 0x0487 });
