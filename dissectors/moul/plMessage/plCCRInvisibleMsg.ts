import { derive, u8 } from "moul-dissect/schema";
import { plKey } from "../common/pnKeyedObject/plKey.js";
import { plCCRMessage } from "./plCCRMessage.js";

/** Makes a CCR's avatar invisible, or visible again. Source: corrections section 4; plMessage/plCCRMsg.cpp. */
export const plCCRInvisibleMsg = derive(
  "plCCRInvisibleMsg",
  plCCRMessage,
  {
    avatar: plKey,
    level: u8.doc("0: visible.").inSummary(),
  },
  { tag: 0x0269 },
);
