import { bool, derive, isTrue } from "moul-dissect/schema";
import { plUnifiedTime } from "../common/values/plUnifiedTime.js";
import { creatable } from "../plCreatable.js";
import { plMessage } from "../plMessage/plMessage.js";
import { plNetMsgStream } from "./plNetMsgStream.js";

/**
 * Carries a plMessage from client to client. Source: specification "plNetMsgGameMessage";
 * plNetMessage/plNetMessage.cpp.
 */
export const plNetMsgGameMessage = derive(
  "plNetMsgGameMessage",
  plNetMsgStream(creatable(plMessage)),
  {
    deliveryTimePresent: bool,
    deliveryTime: plUnifiedTime.varies().when(isTrue("deliveryTimePresent")),
  },
  { tag: 0x026b },
);
