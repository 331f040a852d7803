import { derive } from "../../../src/schema/index.js";
import { plAvTaskMsg } from "./plAvTaskMsg.js";

/** Takes an avatar's newest brain away. Source: corrections section 4; plMessage/plAvatarMsg.h. */
export const plAvPopBrainMsg = derive("plAvPopBrainMsg", plAvTaskMsg, {}, { tag: 0x0368 });
