import { struct } from "moul-dissect/schema";
import { plMessage } from "./plMessage.js";

/**
 * Dresses an avatar as a file says, once it is loaded: the trigger of a plLoadAvatarMsg. Nothing of it is written,
 * not even the fields of all messages. Source: plMessage/plLoadClothingMsg.h; plAvatar/plAvatarMgr.cpp, LoadAvatar.
 */
export const plLoadClothingMsg = struct("plLoadClothingMsg", {}, { tag: 0x04a3, countsAs: plMessage });
