import { derive } from "moul-dissect/schema";
import { plMessage } from "./plMessage.js";

/** Base of messages that a responder sends for a player. Source: plMessage/plResponderMsg.h. */
export const plResponderMsg = derive("plResponderMsg", plMessage, {}, { tag: 0x0306 });
