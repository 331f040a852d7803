import { bool, derive } from "../../../src/schema/index.js";
import { plKey } from "../common/plKey.js";
import { plMessage } from "./plMessage.js";

/** Tells that an avatar has come into water, or out of it. Source: corrections section 4; plMessage/plSwimMsg.cpp. */
export const plSwimMsg = derive(
  "plSwimMsg",
  plMessage,
  {
    isEntering: bool.inSummary(),
    swimRegion: plKey,
  },
  { tag: 0x0456 },
);
