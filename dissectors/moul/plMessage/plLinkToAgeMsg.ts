import { derive, flags, u8 } from "moul-dissect/schema";
import { plAgeLinkStruct } from "../common/plNetCommon/plAgeLinkStruct.js";
import { SafeString } from "../common/values/SafeString.js";
import { plMessage } from "./plMessage.js";

/** Source: plMessage/plLinkToAgeMsg.h, plLinkToAgeMsg. */
const LinkToAgeFlags = {
  kMuteLinkOutSfx: 1 << 0,
  kMuteLinkInSfx: 1 << 1,
};

/** Links a player to an age. Source: corrections section 4; plMessage/plLinkToAgeMsg.cpp. */
export const plLinkToAgeMsg = derive(
  "plLinkToAgeMsg",
  plMessage,
  {
    flags: flags(u8, LinkToAgeFlags),
    ageLink: plAgeLinkStruct,
    linkInAnimationName: SafeString,
  },
  { tag: 0x02e6 },
);
