import { struct } from "moul-dissect/schema";
import { plMessage } from "./plMessage.js";

/**
 * Makes the client load or unload rooms; scripts can ask other clients to do so too. Nothing of it is written, not even
 * the fields of all messages. Source: pnMessage/plClientMsg.cpp; pfPython/cyMisc.cpp, PageInNodes.
 */
export const plClientMsg = struct("plClientMsg", {}, { tag: 0x0284, countsAs: plMessage });
