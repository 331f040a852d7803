import { derive } from "moul-dissect/schema";
import { plMessage } from "./plMessage.js";

/** Base of messages to and from avatars. Source: specification "plAvatarMsg"; plMessage/plAvatarMsg.h. */
export const plAvatarMsg = derive("plAvatarMsg", plMessage, {}, { tag: 0x0297 });
