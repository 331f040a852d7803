import { derive, enumeration } from "moul-dissect/schema";
import { i32 } from "moul-dissect/schema/little-endian";
import { plMessage } from "./plMessage.js";

/** Source: pnMessage/plServerReplyMsg.h. */
const ReplyType = {
  kUnInit: -1,
  kDeny: 0,
  kAffirm: 1,
};

/** Answers a plNetMsgTestAndSet. Source: specification "plServerReplyMsg"; pnMessage/plServerReplyMsg.cpp. */
export const plServerReplyMsg = derive(
  "plServerReplyMsg",
  plMessage,
  { type: enumeration(i32, ReplyType).inSummary() },
  { tag: 0x026f },
);
