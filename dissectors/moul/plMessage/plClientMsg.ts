import { struct } from "../../../src/schema/index.js";
import { plMessage } from "./plMessage.js";

/**
 * Has the client load or unload rooms, which scripts can ask others to do as well. Nothing of it is written, not even
 * what all messages have. Source: pnMessage/plClientMsg.cpp; pfPython/cyMisc.cpp, PageInNodes.
 */
export const plClientMsg = struct("plClientMsg", {}, { tag: 0x0284, countsAs: plMessage });
