import { derive } from "moul-dissect/schema";
import { plAvTaskMsg } from "./plAvTaskMsg.js";

/** Removes an avatar's newest brain. Source: corrections section 4; plMessage/plAvatarMsg.h. */
export const plAvPopBrainMsg = derive("plAvPopBrainMsg", plAvTaskMsg, {}, { tag: 0x0368 });
