import { plAvOneShotLinkTask } from "./plAvTask/plAvOneShotLinkTask.js";
import { plCreatable } from "./plCreatable.js";
import { plLoadAvatarMsg } from "./plMessage/plLoadAvatarMsg.js";
import { plLoadCloneMsg } from "./plMessage/plLoadCloneMsg.js";
import { plNotifyMsg } from "./plMessage/plNotifyMsg.js";
import { plNetMsgGameMessage } from "./plNetMessage/plNetMsgGameMessage.js";
import { plNetMsgLoadClone } from "./plNetMessage/plNetMsgLoadClone.js";
import { proCollisionEventData } from "./proEventData/proCollisionEventData.js";
import { proEventData } from "./proEventData/proEventData.js";

/** Makes every declared class known to the families that look them up while decoding. */
plCreatable.register(plNetMsgGameMessage, plNetMsgLoadClone);
plCreatable.register(plLoadCloneMsg, plLoadAvatarMsg, plNotifyMsg);
plCreatable.register(plAvOneShotLinkTask);
proEventData.register(proCollisionEventData);

export { plCreatable, proEventData };
