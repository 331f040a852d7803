import { derive, enumeration, text } from "moul-dissect/schema";
import { u16, u32 } from "moul-dissect/schema/little-endian";
import { kiNumber } from "../common/ids/kiNumber.js";
import { plCCRMessage } from "./plCCRMessage.js";

/** Source: plMessage/plCCRMsg.h, plCCRCommunicationMsg::Type. */
const CCRCommunicationType = {
  kUnInit: 0,
  kBeginCommunication: 1,
  kChat: 2,
  kEndCommunication: 3,
  kReturnChatMsg: 4,
};

/** Chat between a player and a CCR. Source: corrections section 4; plMessage/plCCRMsg.cpp. */
export const plCCRCommunicationMsg = derive(
  "plCCRCommunicationMsg",
  plCCRMessage,
  {
    messageLength: u16,
    message: text("messageLength").sensitive("chat").inSummary(),
    type: enumeration(u32, CCRCommunicationType).inSummary(),
    ccrPlayerId: kiNumber.doc("KI number of the CCR."),
  },
  { tag: 0x02b7 },
);
