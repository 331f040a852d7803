import { derive } from "moul-dissect/schema";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { plMessage } from "./plMessage.js";

/** Shows an avatar linking without leaving. Source: corrections section 4; plMessage/plLinkToAgeMsg.cpp. */
export const plPseudoLinkEffectMsg = derive(
  "plPseudoLinkEffectMsg",
  plMessage,
  {
    linkObject: plKey,
    avatar: plKey,
  },
  { tag: 0x0494 },
);
