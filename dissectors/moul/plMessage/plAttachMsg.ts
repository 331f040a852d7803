import { derive } from "moul-dissect/schema";
import { plRefMsg } from "./plRefMsg.js";

/**
 * Attaches an object to the receiver (kOnRequest), or detaches it (kOnRemove).
 * Source: pnMessage/plAttachMsg.h; sent by pfPython/cyMisc.cpp.
 */
export const plAttachMsg = derive("plAttachMsg", plRefMsg, {}, { tag: 0x0256 });
