import { derive } from "moul-dissect/schema";
import { plNetGroupId } from "../common/pnKeyedObject/plNetGroupId.js";
import { plMessage } from "./plMessage.js";

/** Puts an object into a group with one owner. Source: corrections section 4; pnMessage/plSetNetGroupIDMsg.h. */
export const plSetNetGroupIDMsg = derive("plSetNetGroupIDMsg", plMessage, { groupId: plNetGroupId }, { tag: 0x0464 });
