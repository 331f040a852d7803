import { bool, derive } from "moul-dissect/schema";
import { plUoid } from "../common/pnKeyedObject/plUoid.js";
import { plNetMessage } from "./plNetMessage.js";

/**
 * Says that a client has loaded, or unloaded, its avatar. Source: specification "plNetMsgPlayerPage";
 * plNetMessage/plNetMessage.cpp.
 */
export const plNetMsgPlayerPage = derive(
  "plNetMsgPlayerPage",
  plNetMessage,
  {
    unload: bool.inSummary(),
    uoid: plUoid,
  },
  { tag: 0x03b4 },
);
