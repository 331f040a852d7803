import { bool, derive } from "moul-dissect/schema";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { plMessage } from "./plMessage.js";

/** Says that an avatar has entered water, or left it. Source: corrections section 4; plMessage/plSwimMsg.cpp. */
export const plSwimMsg = derive(
  "plSwimMsg",
  plMessage,
  {
    isEntering: bool.inSummary(),
    swimRegion: plKey,
  },
  { tag: 0x0456 },
);
