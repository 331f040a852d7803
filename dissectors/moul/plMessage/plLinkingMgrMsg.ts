import { derive, enumeration, flag, u8 } from "moul-dissect/schema";
import { plCreatableListHelper } from "../common/plCreatableListHelper.js";
import { namedBits } from "../common/values/hsBitVector.js";
import { plMessage } from "./plMessage.js";

/** Source: plMessage/plLinkToAgeMsg.cpp, LinkingMgrMsgFlags. */
const LinkingMgrMsgFlags = {
  kLinkingMgrCmd: 1 << 0,
  kLinkingMgrArgs: 1 << 1,
};

/** Source: plNetClient/plNetLinkingMgr.h, Cmds. */
const LinkingMgrCommand = {
  kNilCmd: 0,
  kLinkPlayerHere: 1,
  kOfferLinkToPlayer: 2,
  kOfferLinkFromPublicBook: 3,
  kLinkPlayerToPrevAge: 4,
};

/** Makes a player link somewhere, or offers the link. Source: corrections section 4; plMessage/plLinkToAgeMsg.cpp. */
export const plLinkingMgrMsg = derive(
  "plLinkingMgrMsg",
  plMessage,
  {
    contentFlags: namedBits(LinkingMgrMsgFlags),
    command: enumeration(u8, LinkingMgrCommand)
      .when(flag("contentFlags.bitVector", LinkingMgrMsgFlags.kLinkingMgrCmd))
      .inSummary(),
    arguments: plCreatableListHelper.when(flag("contentFlags.bitVector", LinkingMgrMsgFlags.kLinkingMgrArgs)),
  },
  { tag: 0x034b },
);
